/** The data of a JSON response: core wraps it in an envelope. */
export async function unwrapped(response: Response, path: string): Promise<unknown> {
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  return path.startsWith('/api/') && body?.success === true ? body.data : body
}
