"""Responses become scores: one file per metric; text views (words, sentences) are computed once per batch."""

from __future__ import annotations

from empathic.metrics import (
    bertscore,
    distinct,
    diversity,
    emotion_match,
    fallacies,
    length,
    lexicons,
    mechanisms,
    miti,
    orientation,
    overlap,
    perplexity,
    questions,
    repetition,
    self_bleu,
    sentiment,
    specificity,
    word_choice,
)
from empathic.metrics.batch import Batch
from empathic.metrics.measure import build
from empathic.metrics.mechanisms import original
from empathic.metrics.run import score
from empathic.metrics.scoring import Choice, Plan, measures
from empathic.metrics.text import sentences, words

__all__ = [
    "Batch",
    "Choice",
    "Plan",
    "bertscore",
    "build",
    "distinct",
    "diversity",
    "emotion_match",
    "fallacies",
    "length",
    "lexicons",
    "measures",
    "mechanisms",
    "miti",
    "orientation",
    "original",
    "overlap",
    "perplexity",
    "questions",
    "repetition",
    "score",
    "self_bleu",
    "sentences",
    "sentiment",
    "specificity",
    "word_choice",
    "words",
]
