"""Two steps of TRL's SFTTrainer on rows of the chat and steps views, with a tiny random model and nothing downloaded.

Not part of the usual run: it needs TRL and PyTorch, which the project does not depend on. To run it, install ``trl``
(1.0 or later) beside kumoc, then ``pytest -m trl``.
"""

import math
from pathlib import Path
from typing import Any

import pytest

from kumoc.benchmark import Edition, Size
from kumoc.compiler import compile_paths
from kumoc.edition import show
from kumoc.generate import generate
from kumoc.views import answered, chat_row, game_row, steps_rows
from kumoc.views.play import exact_play, paper_play
from tests.command import DOMAINS

pytestmark = pytest.mark.trl

TEMPLATE = """\
{%- for message in messages -%}
<|{{ message['role'] }}|>
{%- if message['role'] == 'assistant' -%}
{%- generation -%}{{ (message['content'] or '') + eos_token }}{%- endgeneration -%}
{%- else -%}
{{ (message['content'] or '') + eos_token }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}
"""


@pytest.mark.parametrize("view", ["chat", "steps"])
def test_trl_trains_on_the_assistant_alone(view: str, tmp_path: Path) -> None:
    trl = pytest.importorskip("trl")
    datasets = pytest.importorskip("datasets")
    tokenizer = byte_tokenizer()
    rows = view_of(view)
    trainer = trl.SFTTrainer(
        model=tiny_model(tokenizer),
        args=trl.SFTConfig(
            output_dir=str(tmp_path),
            max_steps=2,
            per_device_train_batch_size=1,
            max_length=None,
            assistant_only_loss=view == "chat",
            use_cpu=True,
            bf16=False,
            report_to="none",
            save_strategy="no",
        ),
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    prepared = next(iter(trainer.train_dataset))
    labels = trainer.data_collator([prepared])["labels"][0]
    said = rows[0]["messages"][2::2] if view == "chat" else rows[0]["completion"]
    assert all(answered(message["content"]) for message in said)
    learnt = tokenizer.decode(labels[labels != -100])
    assert learnt == "".join(f"{message['content']}<|end|>" for message in said)
    result = trainer.train()
    assert result.global_step == 2 and math.isfinite(result.training_loss)


def view_of(view: str) -> list[dict[str, Any]]:
    """Some rows of a view: of the chat view with the table, which is short."""
    (tea,) = compile_paths([DOMAINS / "tea.kumo"]).tables
    found: list[dict[str, Any]] = []
    for seed in range(4):
        instance = generate(tea, Size("small", 3, 4), seed)
        exact, paper = exact_play(instance, 10_000), paper_play(instance, 10_000)
        row = game_row(show(instance, Edition()), "small", Size("small", 3, 4).mode, "The book.", exact, paper)
        chat = chat_row(row, system="table")
        assert chat is not None
        found += [chat] if view == "chat" else steps_rows(row)
    return found


def byte_tokenizer() -> Any:
    """A tokenizer of single bytes: nothing has to be trained or fetched for it."""
    tokenizers = pytest.importorskip("tokenizers")
    transformers = pytest.importorskip("transformers")
    special = ["<|end|>", "<|pad|>", "<|system|>", "<|user|>", "<|assistant|>"]
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*special, *alphabet])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.add_special_tokens(special)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|end|>",
        pad_token="<|pad|>",
        chat_template=TEMPLATE,
        clean_up_tokenization_spaces=False,
    )


def tiny_model(tokenizer: Any) -> Any:
    """A random Llama of one layer."""
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=16_384,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return transformers.AutoModelForCausalLM.from_config(config)
