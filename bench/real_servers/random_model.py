"""Writes a language model of random weights as GGUF: `python random_model.py FILE`.

It knows single bytes, and prefers letters, spaces and quotes, so that it types without an end. It
runs in the environment of the server, which has `gguf` and `numpy`.
"""

import sys
from pathlib import Path

import gguf
import numpy as np

_LAYERS, _WIDTH, _HEADS, _INNER, _WINDOW = 2, 64, 4, 128, 32_768
_SPECIAL = ("<s>", "</s>", "<unk>")
_LIKED = {
    **dict.fromkeys(range(ord("a"), ord("z") + 1), 1.0),
    **dict.fromkeys(b"etaoinshr", 2.0),
    ord(" "): 2.5,
    ord('"'): 1.5,
}
_DISLIKED, _END = -9.0, -4.0
_CONSTANT = 1.0
_IN_FIRST = 3.0
"""About what the first dimension has after the last norm, for the weights below."""


def main(path: Path) -> None:
    """Write the model."""
    writer = gguf.GGUFWriter(path, "llama")
    _describe(writer)
    for name, tensor in _tensors(np.random.default_rng(1)).items():
        writer.add_tensor(name, tensor.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: gguf.GGUFWriter) -> None:
    writer.add_name("random")
    writer.add_context_length(_WINDOW)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(256 + len(_SPECIAL))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([*_letters(), *_SPECIAL])
    normal, control = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL
    writer.add_token_types([normal] * 256 + [control] * len(_SPECIAL))
    # One is wanted; its parts are no tokens, so that it is never used.
    writer.add_token_merges(["zzzz zzzz"])
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(257)
    writer.add_unk_token_id(258)


def _letters() -> list[str]:
    """The 256 bytes as GPT-2 writes them: those that cannot be seen stand for others above 255."""
    seen = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = (256 + number for number in range(256))
    return [chr(byte) if byte in seen else chr(next(hidden)) for byte in range(256)]


def _tensors(random: np.random.Generator) -> dict[str, np.ndarray]:
    def noise(*shape: int, deviation: float) -> np.ndarray:
        return random.normal(0.0, deviation, shape)

    tokens = 256 + len(_SPECIAL)
    embeddings = noise(tokens, _WIDTH, deviation=0.3)
    embeddings[:, 0] = _CONSTANT
    output = noise(tokens, _WIDTH, deviation=0.15)
    wanted = [_LIKED.get(byte, _DISLIKED) for byte in range(256)] + [_DISLIKED, _END, _DISLIKED]
    output[:, 0] = np.array(wanted) / _IN_FIRST
    tensors = {
        "token_embd.weight": embeddings,
        "output_norm.weight": np.ones(_WIDTH),
        "output.weight": output,
    }
    for layer in range(_LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensors[f"blk.{layer}.{name}.weight"] = noise(_WIDTH, _WIDTH, deviation=0.05)
        for name, shape in (
            ("ffn_gate", (_INNER, _WIDTH)),
            ("ffn_up", (_INNER, _WIDTH)),
            ("ffn_down", (_WIDTH, _INNER)),
        ):
            tensors[f"blk.{layer}.{name}.weight"] = noise(*shape, deviation=0.05)
        for name in ("attn_norm", "ffn_norm"):
            tensors[f"blk.{layer}.{name}.weight"] = np.ones(_WIDTH)
    return tensors


if __name__ == "__main__":
    main(Path(sys.argv[1]))
