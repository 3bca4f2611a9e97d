import type { FastifyRequest } from 'fastify'
import type { Transact } from '../../../../database/index.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route may give the browser another cookie for its session. */
    replacesCookie?: true
  }
  interface FastifyRequest {
    /** The value of the cookie that replaces the one of this request. */
    newCookie?: string | undefined
  }
}

/** The verb; the cookie that it returns goes to the browser with the response, once its transaction has committed. */
export function withNewCookie<R extends { readonly cookie: string | undefined }>(
  request: Pick<FastifyRequest, 'newCookie'>,
  verb: (transact: Transact<R>) => Promise<R>,
): (transact: Transact<R>) => Promise<R> {
  return async (transact) => {
    const result = await verb(transact)
    request.newCookie = result.cookie
    return result
  }
}
