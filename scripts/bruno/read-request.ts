import { randomUUID } from 'node:crypto'

/** A request as Bruno would send it. */
export interface CollectedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The statuses that its own test accepts. */
  readonly statuses: readonly number[]
  readonly tags: readonly string[]
}

/** Reads a request of the collection; `{{names}}` are filled from `variables`. Throws if a name is unknown. */
export function readRequest(file: string, variables: Readonly<Record<string, string>>): CollectedRequest {
  const given: Readonly<Record<string, string>> = { $guid: randomUUID(), baseUrl: '', ...variables }
  const text = file.replaceAll(/\{\{([\w$]+)\}\}/g, (_, name: string) => {
    const value = given[name]
    if (value === undefined) throw new Error(`the collection has no variable ${name}`)
    return value
  })
  const blocks = new Map(
    [...text.matchAll(/^([\w:]+) \{\n([\s\S]*?)\n\}$/gm)].map(([, name = '', content = '']) => [
      name,
      content.replaceAll(/^ {2}/gm, ''),
    ]),
  )
  const method = ['get', 'post', 'put', 'patch', 'delete', 'options'].find((name) => blocks.has(name))
  if (method === undefined) throw new Error('the request has no method')
  const ids = pairs(blocks.get('params:path'))
  const url = pairs(blocks.get(method)).url ?? ''
  return {
    method: method.toUpperCase(),
    path: url.replaceAll(/(?<=\/):(\w+)/g, (_, name: string) => ids[name] ?? ''),
    headers: pairs(blocks.get('headers')),
    body: blocks.get('body:json'),
    statuses: (/\[([\d, ]+)\]/.exec(blocks.get('tests') ?? '')?.[1] ?? '').split(', ').map(Number),
    tags: [...(/tags: \[\n([\s\S]*?)\n\]/.exec(blocks.get('meta') ?? '')?.[1] ?? '').matchAll(/[\w-]+/g)].map(
      ([tag]) => tag,
    ),
  }
}

/** The `name: value` lines of a block. */
function pairs(block = ''): Record<string, string> {
  return Object.fromEntries(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}
