import type { FastifyRequest, preHandlerHookHandler, preValidationHookHandler } from 'fastify'
import type { Credential } from '../../../identity/index.ts'
import { CREDENTIAL_FRESH_MS } from '../../../kernel/index.ts'
import { authenticateRequest, authorizeRequest } from '../access/authenticate-request.ts'
import { sessionCookie } from '../access/session-cookie.ts'
import type { App, ServerOptions } from '../app.ts'

export interface CredentialChecks {
  /** Authenticates a request whose headers have arrived. Throws what `authenticateRequest` does. */
  readonly authenticate: (request: FastifyRequest) => Promise<Credential | undefined>
  /** What a request presents: its key or token, else the session of its browser. `undefined` if it presents nothing. */
  readonly credentialText: (request: FastifyRequest) => string | undefined
  /** A hook for after whatever a request may have waited for. */
  readonly requireFresh: preValidationHookHandler & preHandlerHookHandler
}

/**
 * Checks credentials at the headers of a request, and again if it has waited since then: a client may keep back its body
 * until its session was ended, its member removed or its key deleted. The time is monotonic and of this process, because
 * it measures a wait. Requests that wait for nothing are checked once.
 */
export function checkCredentials(
  app: App,
  options: Pick<ServerOptions, 'authenticate' | 'publicUrl' | 'credentialFreshMs'>,
): CredentialChecks {
  const readers = { authenticate: options.authenticate, cookie: sessionCookie(options.publicUrl) }
  const freshMs = options.credentialFreshMs ?? CREDENTIAL_FRESH_MS
  const checkedAt = new WeakMap<FastifyRequest, number>()

  const authenticate = async (request: FastifyRequest) => {
    // Before the check: what it read may be as old as that.
    const at = performance.now()
    const credential = await authenticateRequest(request.routeOptions.config.access, request, readers)
    checkedAt.set(request, at)
    return credential
  }
  const isFresh = (request: FastifyRequest) =>
    request.presented === undefined || performance.now() - (checkedAt.get(request) ?? 0) < freshMs

  app.decorateRequest('authenticateAgain', async function () {
    const presented = await authenticate(this)
    authorizeRequest(this.routeOptions.config.access, presented)
    this.presented = presented
  })
  app.decorateRequest('requireFreshCredential', async function () {
    if (isFresh(this)) return
    try {
      this.presented = await authenticate(this)
    } catch (error) {
      // The response and its records are those of a request that began now.
      this.presented = undefined
      throw error
    }
    authorizeRequest(this.routeOptions.config.access, this.presented)
  })
  return {
    authenticate,
    credentialText: (request) => {
      const { authorization, 'x-api-key': key } = request.headers
      return authorization === undefined && key === undefined
        ? readers.cookie.read(request)
        : JSON.stringify([authorization, key])
    },
    requireFresh: (request, _reply, done) => {
      if (isFresh(request)) return done()
      return request.requireFreshCredential()
    },
  }
}
