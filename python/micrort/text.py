"""Text by a language model, a decoder and its tokenizer, and of speech. Not imported by micrort: it needs libutf8proc.

    import micrort.text
    generator = micrort.text.Generator("model.fb", "tokenizer.json")
    print(generator.generate("Once upon a time", max_tokens=64).text)
    for piece in generator.pieces("Once upon a time", temperature=0.8, seed=7):
        print(piece, end="", flush=True)
    print(micrort.text.Transcriber("whisper").transcribe("speech.wav").text)
"""

from __future__ import annotations

import dataclasses
import operator
import os
from typing import Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from micrort.errors import InvalidArgumentError, UnsupportedError
from micrort.runtime import Model, Source

try:
    from micrort import _speech, _text
except OSError as error:
    raise UnsupportedError(f"this build of micrort makes no text, or libutf8proc is missing: {error}") from error

Path = Union[str, "os.PathLike[str]"]
Prompt = Union[str, Sequence[int], Sequence[Mapping[str, str]]]

_INT_MAX = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class Answer:
    """What the model wrote. reason: "length", "end_token", "stop_word" or "callback"."""

    text: str
    tokens: list[int]
    reason: str
    prompt_tokens: int
    prefill_seconds: float
    decode_seconds: float

    def __str__(self) -> str:
        return self.text


def _source(source, name):
    """A path, or bytes."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return None, bytes(source)
    if isinstance(source, Model):
        if source.path is None:
            raise InvalidArgumentError(f"{name}: expected a model from a file, a path or bytes")
        return source.path, None
    return os.fspath(source), None


def _count(name, value, most):
    number = operator.index(value)
    if not 0 <= number <= most:
        raise InvalidArgumentError(f"{name} is {number}; expected 0 to {most}")
    return number


class Tokenizer:
    """The tokens of texts, for models that are no decoders. Any number of threads may use one.

    tokenizer: tokenizer.json, or a model of SentencePiece; a path or bytes.
    """

    def __init__(self, tokenizer: Source) -> None:
        self._session = _text.TokenizerSession(_source(tokenizer, "tokenizer"))

    def encode(self, text: str, *, add_special: bool = True) -> list[int]:
        """add_special: with the tokens that the tokenizer puts around a text, such as [CLS] and [SEP]."""
        return self._session.encode(text, add_special)


class Generator:
    """Continues texts. Threads that share one wait for each other, run by run.

    model: a path, the bytes of a file, or a micrort.Model from a file. tokenizer: tokenizer.json, or a model of
    SentencePiece; a path or bytes.
    """

    def __init__(
        self,
        model: Union[Source, Model],
        tokenizer: Source,
        *,
        threads: int = 1,
        isa: Optional[str] = None,
    ) -> None:
        self._session = _text.TextSession(_source(model, "model"), _source(tokenizer, "tokenizer"), threads, isa)

    def generate(
        self, prompt: Prompt, *, callback: Optional[Callable[[str], object]] = None, **options: object
    ) -> Answer:
        """The whole answer. callback: called for each piece of text; False ends the answer. Options as of pieces()."""
        answer = self._begin(prompt, **options)
        pieces = []
        for piece in self._pieces(answer):
            pieces.append(piece)
            if callback is not None and callback(piece) is False:
                answer.stop()
        return Answer(
            "".join(pieces),
            answer.tokens,
            answer.reason,
            answer.prompt_tokens,
            answer.prefill_seconds,
            answer.decode_seconds,
        )

    def pieces(self, prompt: Prompt, **options: object) -> Iterator[str]:
        """The answer as it is made: pieces of whole characters.

        prompt: a text, tokens, or with chat="chatml" and so on a text or messages {"role": ..., "content": ...}. The
        model reads it after all that it has read and written before; reset() begins anew. An answer that another one
        follows ends.

        Options: max_tokens (128), temperature (0: the most probable token), top_k, top_p, min_p, repetition_penalty,
        presence_penalty, frequency_penalty, seed, stop (a text or several that end the answer), ignore_end (go on
        after tokens that end a sequence), add_special (True: a start token before the prompt), chat.
        """
        return self._pieces(self._begin(prompt, **options))

    @staticmethod
    def _pieces(answer):
        while not answer.has_ended:
            piece = answer.step()
            if piece:
                yield piece

    def _begin(
        self,
        prompt,
        *,
        max_tokens=128,
        temperature=0.0,
        top_k=0,
        top_p=1.0,
        min_p=0.0,
        repetition_penalty=1.0,
        presence_penalty=0.0,
        frequency_penalty=0.0,
        seed=0,
        stop=(),
        ignore_end=False,
        add_special=True,
        chat=None,
    ):
        return self._session.begin(
            self._encode(prompt, add_special, chat),
            max_tokens=_count("max_tokens", max_tokens, _INT_MAX),
            stop=[stop] if isinstance(stop, str) else list(stop),
            temperature=temperature,
            top_k=_count("top_k", top_k, _INT_MAX),
            top_p=top_p,
            min_p=min_p,
            repetition_penalty=repetition_penalty,
            presence_penalty=presence_penalty,
            frequency_penalty=frequency_penalty,
            seed=_count("seed", seed, 2**64 - 1),
            ignore_end=ignore_end,
        )

    def _encode(self, prompt, add_special, chat):
        if chat is not None:
            messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
            return self._session.encode_chat(chat, [(m["role"], m["content"]) for m in messages])
        if isinstance(prompt, str):
            return self._session.encode(prompt, add_special)
        return [_count("a token of the prompt", token, _INT_MAX) for token in prompt]

    def cancel(self) -> None:
        """From any thread: the answer in progress ends with CancelledError, and so does each later one until reset()."""
        self._session.cancel()

    def reset(self) -> None:
        """Forgets all that was read and written."""
        self._session.reset()

    def truncate(self, length: int) -> None:
        """Keeps the first `length` tokens that were read. Where caches are inputs of the model, 0 only."""
        self._session.truncate(length)

    def __len__(self) -> int:
        """Tokens read so far, of prompts and answers; the last one of an answer has not been."""
        return self._session.length

    def __bool__(self) -> bool:
        return True


@dataclasses.dataclass(frozen=True)
class Segment:
    """A part of a transcript, with its times in seconds."""

    begin: float
    end: float
    text: str
    tokens: list[int]


@dataclasses.dataclass(frozen=True)
class Transcript:
    """What was said. language: "" if the model has no tokens of languages. was_stopped: by a callback."""

    text: str
    language: str
    segments: list[Segment]
    was_stopped: bool
    audio_seconds: float
    feature_seconds: float
    encode_seconds: float
    prefill_seconds: float
    decode_seconds: float

    def __str__(self) -> str:
        return self.text


class Transcriber:
    """Writes what is said, with a Whisper-like recognizer. Threads that share one wait for each other.

    model: a folder with encoder.fb, decoder.fb, tokenizer.json and so on; or the encoder's file, with decoder and
    tokenizer (and cross and generation_config where there are); or a file that holds encoder and decoder, with tokenizer.
    """

    def __init__(
        self,
        model: Path,
        *,
        decoder: Optional[Path] = None,
        cross: Optional[Path] = None,
        tokenizer: Optional[Path] = None,
        generation_config: Optional[Path] = None,
        threads: int = 1,
        isa: Optional[str] = None,
    ) -> None:
        rest = {"cross": cross, "tokenizer": tokenizer, "generation_config": generation_config}
        files, folder = None, None
        if not os.path.isdir(model):
            files = {"encoder": None if decoder is None else model, "decoder": decoder or model, **rest}
        elif decoder is None and not any(rest.values()):
            folder = model
        else:
            raise InvalidArgumentError(f"{os.fspath(model)}: a folder has all files; name none of them, or all")
        self._session = _speech.TranscriberSession(folder, files, threads, isa)

    def transcribe(
        self,
        audio: Union[Source, np.ndarray],
        rate: Optional[int] = None,
        *,
        language: str = "auto",
        translate: bool = False,
        timestamps: bool = False,
        max_tokens: int = 224,
        temperature: float = 0.0,
        seed: int = 0,
        prompt: str = "",
        callback: Optional[Callable[[str], object]] = None,
        on_segment: Optional[Callable[[Segment], object]] = None,
    ) -> Transcript:
        """The text of a sound.

        audio: a WAV file, as a path or bytes, or samples in an array of one dimension, `rate` a second. callback is called
        for each piece of text, and on_segment for each Segment; False ends the transcription. translate: into English.
        max_tokens: for each window of 30 s. prompt: text before the speech, for names and spelling.
        """
        if isinstance(audio, np.ndarray):
            if audio.ndim != 1 or audio.dtype.kind != "f" or rate is None:
                raise InvalidArgumentError("audio: expected floats in one dimension, and rate")
            samples = audio
        else:
            if rate is not None:
                raise InvalidArgumentError("rate: a file has its own")
            samples, rate = _speech.read_audio(audio)
        text, found, segments, figures = self._session.transcribe(
            samples,
            rate,
            callback,
            None if on_segment is None else lambda segment: on_segment(Segment(*segment)),
            language=language,
            prompt=prompt,
            translate=bool(translate),
            timestamps=bool(timestamps),
            max_tokens=_count("max_tokens", max_tokens, _INT_MAX),
            temperature=temperature,
            seed=_count("seed", seed, 2**64 - 1),
        )
        return Transcript(
            text,
            found,
            [Segment(*segment) for segment in segments],
            figures.was_stopped != 0,
            figures.audio_seconds,
            figures.feature_seconds,
            figures.encode_seconds,
            figures.prefill_seconds,
            figures.decode_seconds,
        )

    def cancel(self) -> None:
        """From any thread: the transcription in progress ends with CancelledError, or the next one does."""
        self._session.cancel()
