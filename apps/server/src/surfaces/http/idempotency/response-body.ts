import type { FastifyReply } from 'fastify'

/** The serializer that Fastify uses for the response, so that the stored body equals the sent one to the byte. */
export function serializerOf(reply: FastifyReply, status: number): (body: unknown) => string {
  const exact = reply.getSerializationFunction(String(status))
  const serialize = exact ?? reply.getSerializationFunction(`${Math.floor(status / 100)}xx`)
  return (body) => (serialize ? serialize(body as Record<string, unknown>) : JSON.stringify(body))
}

/** Replaces the fields at `paths` (`data.apiKey`) in a JSON text with null; missing fields are not added. */
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
