from __future__ import annotations

from pathlib import Path

import pytest

from empathic.errors import InputError
from empathic.metrics.lexicons.reading import Lexicon, emotion_scale, read


def one(folder: Path, text: str, name: str = "lexicon.txt") -> Lexicon:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read(path)


@pytest.mark.parametrize(
    "text",
    [
        "rage\tanger\t0.9\nrage\tfear\t0.4\ncalm\ttrust\t0.3\n",
        "English Word\tEmotion\tEmotion-Intensity-Score\nrage\tanger\t0.9\nrage\tfear\t0.4\ncalm\ttrust\t0.3\n",
        "term\tscore\tAffectDimension\nrage\t0.9\tanger\nrage\t0.4\tfear\ncalm\t0.3\ttrust\n",
    ],
)
def test_every_layout_of_the_intensity_lexicon_is_read(tmp_path: Path, text: str) -> None:
    found = one(tmp_path, text)
    assert found.name == "nrc-eil"
    assert found.scale("intensity") == {"rage": 0.9, "calm": 0.3}
    assert found.scale("intensity_last") == {"rage": 0.4, "calm": 0.3}
    assert found.scale(emotion_scale("fear")) == {"rage": 0.4}
    assert "research" in found.licence


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Word\tValence\tArousal\tDominance\nrage\t0.1\t0.9\t0.6\n", "vad.txt"),
        ("rage\t0.1\t0.9\t0.6\n", "vad.txt"),
        ('{"rage": [0.1, 0.9, 0.6]}', "VAD.json"),
    ],
)
def test_every_layout_of_the_valence_lexicon_is_read(tmp_path: Path, text: str, name: str) -> None:
    found = one(tmp_path, text, name)
    assert found.name == "nrc-vad"
    assert found.scales == {"valence": {"rage": 0.1}, "arousal": {"rage": 0.9}, "dominance": {"rage": 0.6}}


def test_values_from_minus_one_to_one_are_brought_to_zero_to_one(tmp_path: Path) -> None:
    found = one(tmp_path, "term\tvalence\tarousal\tdominance\nrage\t-0.8\t0.9\t0.2\njoy\t1\t0.5\t-1\n")
    assert found.scale("valence") == {"rage": pytest.approx(0.1), "joy": 1.0}
    assert found.scale("dominance") == {"rage": pytest.approx(0.6), "joy": 0.0}


def test_our_own_layout_is_read_with_its_emotions(tmp_path: Path) -> None:
    head = "word,valence,arousal,dominance,intensity,emotion\n"
    found = one(tmp_path, head + "glad,0.9,0.5,0.6,0.7,joy\nand,0.5,0.5,0.5,0,\n", "mine.csv")
    assert found.scale("intensity") == {"glad": 0.7, "and": 0.0}
    assert found.scale(emotion_scale("joy")) == {"glad": 0.7}
    assert found.scale("humour") == {}


def test_vader_s_ratings_become_valence(tmp_path: Path) -> None:
    found = one(tmp_path, "glad\t2.0\t0.4\t[2, 2]\nsad\t-4.0\t0.1\t[-4, -4]\n")
    assert found.scale("valence") == {"glad": 0.75, "sad": 0.0}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rage\tanger\t0.9\nrage\tanger\n", "lexicon.txt:2: has 2 tab-separated fields, 3 are needed"),
        ("rage\tanger\t0.9\nrage\tanger\t1.9\n", "lexicon.txt:2: '1.9' is no number from 0 to 1"),
        ("rage\tanger\t0.9\nrage\tboredom\t0.9\n", "lexicon.txt:2: 'boredom' is none of the emotions"),
        ("rage\t0.1\t0.9\t0.6\nrage\tnan\t0.9\t0.6\n", "lexicon.txt:2: 'nan' is no number"),
        ("hello\nworld\n", "is no lexicon of a known layout"),
        ("", "is no lexicon of a known layout"),
        ("Word\tValence\tArousal\tDominance\n", "holds no word"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=r".*") as refused:
        one(tmp_path, text)
    assert says in str(refused.value)


def test_text_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("rage\tanger\t0.9\nfianc\xe9\tjoy\t0.5\n".encode("latin-1"))
    with pytest.raises(InputError, match="latin.txt:2: is not UTF-8"):
        read(path)


def test_the_released_intensity_lexicon_has_its_words(shared: Path) -> None:
    found = read(shared / "data" / "lee2024" / "nrc_intensity.txt")
    largest, last = found.scale("intensity"), found.scale("intensity_last")
    assert len(largest) == len(last) == 5891
    assert sum(last[word] < value for word, value in largest.items()) == 1213
