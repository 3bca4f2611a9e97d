interface Frame {
  readonly id: number
  readonly event: string
  readonly data: { id: number; event: string; timestamp: string; data: object }
}

/** A stream of events as a client reads it. */
export async function openEventStream(url: string, headers: Record<string, string>) {
  const leaving = new AbortController()
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  })
  let text = ''
  let ended = false
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
  })()
  reading
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    hasEnded: () => ended,
    frames(): Frame[] {
      const blocks = text.split('\n\n').filter((block) => block.startsWith('id: '))
      return blocks.map((block) => {
        const [id, event, data] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2))
        return { id: Number(id), event: event!, data: JSON.parse(data!) }
      })
    },
    leave: () => leaving.abort(),
  }
}
