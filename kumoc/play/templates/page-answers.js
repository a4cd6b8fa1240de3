// How trajectories are given back: sent to a server, saved as a file, or both.

const lines = (records) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
let sending = false;

async function send() {
  if (!set.post || sending) return;
  sending = true;
  let reached = true;
  while (reached && kept.sent < kept.records.length) {
    const { records, trial } = kept;
    const upTo = records.length;
    report();
    const message = { method: "POST", body: lines(records.slice(kept.sent)), signal: AbortSignal.timeout(30_000) };
    reached = await fetch(set.post, message).then((answer) => answer.ok, () => false);
    if (reached && trial === kept.trial) kept.sent = upTo;
    keep();
  }
  sending = false;
  report();
}

function report() {
  const missing = kept.records.length - kept.sent;
  $("send").hidden = !set.post || sending || missing === 0;
  if (!set.post) $("sent").textContent = "Please save what was recorded as a file, and hand it on.";
  else if (missing === 0) $("sent").textContent = "All that was recorded has been sent.";
  else if (sending) $("sent").textContent = "Sending what was recorded …";
  else $("sent").textContent = "What was recorded could not be sent: send it again, or save it as a file.";
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([lines(kept.records)], { type: "application/jsonl" }));
  link.download = `trajectories-${kept.trial}.jsonl`;
  link.click();
}
