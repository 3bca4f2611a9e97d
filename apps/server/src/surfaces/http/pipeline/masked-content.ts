import type { FastifyRequest } from 'fastify'

const HIDDEN = '********'

/** Which fields of a body approvers may not see, as paths such as `bank_details.account_number`. */
export interface MaskedFields {
  readonly secrets?: readonly string[]
  /** Of these they see the last four characters. */
  readonly numbers?: readonly string[]
}

/**
 * What approvers see of a request: the route's own fields, without secrets. Unknown fields are dropped, because the
 * service ignores them and they could only mislead.
 */
export function maskedContent(request: FastifyRequest, { secrets = [], numbers = [] }: MaskedFields) {
  const known = (request.routeOptions.schema?.body as { properties?: object } | undefined)?.properties ?? {}
  const sent = (request.body ?? {}) as Record<string, unknown>
  const body: Record<string, unknown> = structuredClone(
    Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(known, name))),
  )
  for (const path of secrets) mask(body, path, () => HIDDEN)
  for (const path of numbers) mask(body, path, (text) => `****${text.slice(-4)}`)
  return { method: request.method, path: pathOf(request), body }
}

/** One spelling for each object, however the caller wrote the path: requests about the same object are compared by it. */
function pathOf({ routeOptions, params }: FastifyRequest): string {
  const values = params as Readonly<Record<string, unknown>>
  return (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

function mask(body: Record<string, unknown>, path: string, replace: (text: string) => string): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<unknown>(
    (node, name) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined),
    body,
  )
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return
  const fields = parent as Record<string, unknown>
  if (fields[last] !== null) fields[last] = replace(String(fields[last]))
}
