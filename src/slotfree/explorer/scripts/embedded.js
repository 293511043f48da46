// Data that the library computed, inside this page.

/** Return the JSON data of a name. */
export function embeddedJson(name) {
  return JSON.parse(document.getElementById(`data-${name}`).textContent);
}

/** Return the bytes of a name, which are compressed (zlib) in the page. */
export async function embeddedBytes(name) {
  const packed = Uint8Array.from(atob(document.getElementById(`data-${name}`).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}
