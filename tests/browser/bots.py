"""A chatbot for the browser tests: it streams word by word, and the message it answers tells it what else to do."""

import asyncio
from collections import Counter

from empathic.contracts import Reply
from empathic.records import Generation
from empathic.registry import register

asked: Counter[str] = Counter()
HOSTILE = "<img src=x onerror='window.hit=1'><script>window.hit=1</script>"


@register("system", "words", summary="says what it was told, word by word")
class Words:
    name = "words"
    concurrency = None

    def settings(self):
        return {"name": self.name}

    async def check(self):
        pass

    async def respond(self, request):
        return Reply(text=" ".join([piece async for piece in self.stream(request) if isinstance(piece, str)]))

    async def stream(self, request):
        said = request.turns[-1].text
        asked[said] += 1
        if "[fail]" in said and asked[said] == 1:
            yield Reply(text=None, missing="the server answered 500")
            return
        if "[hostile]" in said:
            yield HOSTILE
        pause = 0.15 if "[slow]" in said else 0.0
        for word in ("I", " hear", " you,", " and", " I", " feel", " with", " you."):
            await asyncio.sleep(pause)
            yield word
        yield Reply(text=None, generation=Generation(latency=0.1, model="words"))

    async def close(self):
        pass
