/** The WebAuthn challenge that a signature over this text has: its SHA-256 in base64url, computed in this browser. */
export async function challengeOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** The text that approvers sign, as names and values; its first line says which format it has. */
export function linesOf(text: string): readonly (readonly [string, string])[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    })
}
