// What the page carries: data blocks of one kind each, deflated JSON in base64, unpacked when they are wanted.

function blocks(kind) {
  return document.querySelectorAll(`script[data-kind="${kind}"]`);
}

async function unpack(block) {
  const bytes = Uint8Array.from(atob(block.textContent), (character) => character.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(inflated).text());
}

// Unpacks a block of a kind once.
const kept = new Map();
function unpacked(kind, index) {
  const key = `${kind} ${index}`;
  if (!kept.has(key)) kept.set(key, unpack(blocks(kind)[index]));
  return kept.get(key);
}

// Drawings are the one thing that is parsed: by the rules of XML, in a document that runs nothing. The page's policy lets
// this function alone do so.
const drawings = window.trustedTypes?.createPolicy("mota", { createHTML: (text) => text })
  ?? { createHTML: (text) => text };

function parseDrawing(text) {
  const parsed = new DOMParser().parseFromString(drawings.createHTML(text), "image/svg+xml").documentElement;
  return parsed.localName === "svg" ? document.importNode(parsed, true) : null;
}
