// Names of scenarios for people, made of their labels as `generator/src/report/titles.rs` makes them of their fields.

const WORK = {
  transfer: "Transfer",
  "full handshakes": "Full handshake",
  "resumed handshakes": "Resumed handshake",
  memory: "Memory",
  "latency of full handshakes": "Latency of a full handshake",
  "latency of resumed handshakes": "Latency of a resumed handshake",
  writes: "Write",
  "client hello": "ClientHello",
  footprint: "Footprint",
  "build time": "Build time",
  "build CPU time": "CPU time of a build",
};
const WORDS = {
  1.2: "TLS 1.2",
  1.3: "TLS 1.3",
  "chacha20-poly1305": "ChaCha20-Poly1305",
  rsa: "RSA-2048",
  ecdsa: "ECDSA P-256",
  "ecdsa-p384": "ECDSA P-384",
  "ecdsa-p521": "ECDSA P-521",
  ed25519: "Ed25519",
  "x25519mlkem768+x25519": "X25519MLKEM768 and X25519",
  secp256r1: "P-256",
  secp384r1: "P-384",
  secp256r1mlkem768: "SecP256r1MLKEM768",
  mutual: "client certificate",
  unbuffered: "unbuffered API",
  "1 thread": "one thread",
  min: "minimum",
  max: "maximum",
};
const UPPER = /^(rsa-|ml-dsa-|x25519|aes|chacha|camellia|aria|3des|des|null|ascon)/;

function size(n) {
  if (n % 1048576 === 0) return `${n / 1048576} MiB`;
  return n % 1024 === 0 ? `${n / 1024} KiB` : `${n} B`;
}

function word(text) {
  const [, number, of] = text.match(/^(\d+)(?:-byte)? (writes|fragments|sessions)$/) ?? [];
  if (of === "sessions") return `${Number(number).toLocaleString("en")} sessions`;
  if (of) return `${of} of ${size(Number(number))}`;
  return WORDS[text] ?? (UPPER.test(text) ? text.toUpperCase() : text);
}

/** `Full handshake, TLS 1.3, RSA-2048, client` for `full handshakes, 1.3, rsa, client`; free names stay as they are. */
export function title(label) {
  const [work, ...words] = label.split(/, (?![^[]*\])/);
  if (!WORK[work]) return label;
  const side = { sending: "Sending", receiving: "Receiving" };
  const end = work === "transfer" && words.find((text) => side[text]);
  return [end ? side[end] : WORK[work], ...words.filter((text) => text !== end).map(word)].join(", ");
}
