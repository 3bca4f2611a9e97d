/** The SHA-256 of text or of a file, in lower-case hex, computed in this browser. It needs https, or localhost. */
export async function sha256(content: string | Blob): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : await content.arrayBuffer()
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
