import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import { Failure } from '../../../kernel/index.ts'

/**
 * The methods that each path accepts. Fastify treats a wrong method like an unknown path; the interface distinguishes
 * them (contract 4: 404 NOT_FOUND, 405 METHOD_NOT_ALLOWED with `Allow`), so a second router stores the paths.
 */
export class MethodTable {
  readonly #paths = findMyWay({ maxParamLength: 1_024 })
  readonly #methods = new Map<string, Set<string>>()

  /** Records a route at registration. */
  add(route: RouteOptions): void {
    let methods = this.#methods.get(route.url)
    if (methods === undefined) {
      methods = new Set()
      this.#methods.set(route.url, methods)
      this.#paths.on('GET' satisfies HTTPMethod, route.url, () => {}, methods)
    }
    for (const method of [route.method].flat()) methods.add(method.toUpperCase())
  }

  /** The methods that the path accepts, sorted; empty if it is not registered. */
  allowed(url: string): string[] {
    return [...(this.#at(url) ?? [])].sort()
  }

  /**
   * Whether the router matched a path with placeholders although the exact path does not accept this method:
   * `GET /v1/operations/supply` is not a request for an operation named `supply`.
   */
  isForeign(request: FastifyRequest): boolean {
    const hasPlaceholder = request.routeOptions.url?.includes(':') ?? false
    return hasPlaceholder && this.#at(request.raw.url ?? '/')?.has(request.method) !== true
  }

  /** Rejects a request that matches no route. Throws NOT_FOUND or METHOD_NOT_ALLOWED. */
  refuse(request: FastifyRequest, reply: FastifyReply): never {
    const allowed = this.allowed(request.raw.url ?? '/')
    if (allowed.length === 0) throw new Failure('NOT_FOUND', { message: 'This path does not exist.' })
    reply.header('Allow', allowed.join(', '))
    throw new Failure('METHOD_NOT_ALLOWED', { message: `This path accepts ${allowed.join(', ')}.` })
  }

  #at(url: string): ReadonlySet<string> | undefined {
    const path = url.split('?', 1)[0] ?? url
    const found = this.#paths.find('GET', path)
    // A placeholder does not match an empty segment: `/v1/wallets/` is not the path of a wallet.
    if (found === null || Object.values(found.params).includes('')) return undefined
    return found.store as Set<string>
  }
}
