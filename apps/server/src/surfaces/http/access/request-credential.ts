import type { FastifyRequest } from 'fastify'
import type { Credential, KeyCredential, UserCredential } from '../../../identity/index.ts'
import { assert } from '../../../kernel/index.ts'
import type { ResponseRecorder } from '../responses/record-response.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated credential. Reading it on an open route throws. */
    readonly credential: Credential
    /** The same; `undefined` on open routes and before authentication. */
    presented: Credential | undefined
    /**
     * Checks again whether the credential may call the route, for a request that waits or responds in parts: a key that
     * was deleted meanwhile gets nothing more (contract 3). `credential` is as it is now; throws what a new request
     * would get.
     */
    authenticateAgain(): Promise<void>
    /**
     * The same if the last check is more than a moment old, for a request that may have waited: for its body, or for
     * the first request with its idempotency key.
     */
    requireFreshCredential(): Promise<void>
    /** Stores the response for replays; `undefined` without an Idempotency-Key or if the route does not accept one. */
    record: ResponseRecorder | undefined
    /** Aborts when the service begins to stop: long polls and event streams end at once (contract 2). */
    readonly stopping: AbortSignal
  }
}

/** The API key of a request on a route that takes keys only (v1, agent). */
export function keyCredentialOf(request: FastifyRequest): KeyCredential {
  const credential = request.credential
  assert(credential.kind === 'key', 'keyOf on a route that takes sessions')
  return credential
}

/** The user of a request on a route that takes Bearer only. */
export function userCredentialOf(request: FastifyRequest): UserCredential {
  const credential = request.credential
  assert(credential.kind === 'user', 'userOf on a route that takes keys')
  return credential
}
