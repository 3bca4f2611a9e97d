/** Thrown when a response is larger than anything that its sender has reason to send. */
class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** Reads a body as text, up to `most` bytes: an endless one would fill the memory. */
export async function boundedText(response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    // Leaving the loop closes the connection.
    if (size > most) throw new BodyTooLarge(`the response is larger than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
