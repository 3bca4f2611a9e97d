import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import { Failure } from '../../../kernel/index.ts'

/**
 * Knows which methods each path takes. Fastify answers a wrong method like an unknown path; the interface tells them
 * apart (contract 4: 404 NOT_FOUND, 405 METHOD_NOT_ALLOWED with `Allow`), so the paths are kept in a second router.
 */
export class MethodTable {
  readonly #paths = findMyWay({ maxParamLength: 1_024 })
  readonly #methods = new Map<string, Set<string>>()

  /** Takes note of a route when it is registered. */
  add(route: RouteOptions): void {
    let methods = this.#methods.get(route.url)
    if (methods === undefined) {
      methods = new Set()
      this.#methods.set(route.url, methods)
      this.#paths.on('GET' satisfies HTTPMethod, route.url, () => {}, methods)
    }
    for (const method of [route.method].flat()) methods.add(method.toUpperCase())
  }

  /** What the path takes, sorted; empty when nobody registered it. */
  allowed(url: string): string[] {
    return [...(this.#at(url) ?? [])].sort()
  }

  /**
   * Whether the path does not take this method, though the router found one with placeholders for it:
   * `GET /v1/operations/supply` does not ask for an operation of that name.
   */
  isForeign(request: FastifyRequest): boolean {
    const hasPlaceholder = request.routeOptions.url?.includes(':') ?? false
    return hasPlaceholder && this.#at(request.raw.url ?? '/')?.has(request.method) !== true
  }

  /** The answer to a request that no route took. */
  refuse(request: FastifyRequest, reply: FastifyReply): never {
    const allowed = this.allowed(request.raw.url ?? '/')
    if (allowed.length === 0) throw new Failure('NOT_FOUND', { message: 'There is nothing at this path.' })
    reply.header('Allow', allowed.join(', '))
    throw new Failure('METHOD_NOT_ALLOWED', { message: `This path takes ${allowed.join(', ')}.` })
  }

  #at(url: string): ReadonlySet<string> | undefined {
    const path = url.split('?', 1)[0] ?? url
    const found = this.#paths.find('GET', path)
    // A placeholder stands for something: `/v1/wallets/` is no wallet's path.
    if (found === null || Object.values(found.params).includes('')) return undefined
    return found.store as Set<string>
  }
}
