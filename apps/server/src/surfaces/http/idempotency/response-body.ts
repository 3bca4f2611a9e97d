import type { FastifyReply } from 'fastify'

/** The function that the answer itself goes through, so that what is kept is what was sent, to the byte. */
export function serializerOf(reply: FastifyReply, status: number): (body: unknown) => string {
  const exact = reply.getSerializationFunction(String(status))
  const serialize = exact ?? reply.getSerializationFunction(`${Math.floor(status / 100)}xx`)
  return (body) => (serialize ? serialize(body as Record<string, unknown>) : JSON.stringify(body))
}

/** A JSON text with null in place of the fields at `paths` (`data.apiKey`); fields that are not there stay away. */
export function redactFields(text: string, paths: readonly string[]): string {
  if (paths.length === 0 || text === '') return text
  const body: unknown = JSON.parse(text)
  for (const path of paths) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const parent = names.reduce<unknown>((node, name) => memberOf(node, name), body)
    if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, last))
      Object.assign(parent, { [last]: null })
  }
  return JSON.stringify(body)
}

function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined
}
