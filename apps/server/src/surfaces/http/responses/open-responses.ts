import type { FastifyReply } from 'fastify'
import { actorOf, type Credential } from '../../../identity/index.ts'
import { onResponseClosed } from './on-response-closed.ts'

export interface OpenResponsesMax {
  readonly perOrganization: number
  /** Fewer, so that one key or user does not hold the places of all others. */
  readonly perCredential: number
}

/** Counts long responses of this process. */
export class OpenResponses {
  readonly #max: OpenResponsesMax
  readonly #open = new Map<string, number>()

  constructor(max: OpenResponsesMax) {
    this.#max = max
  }

  /** Takes a place until the response closes. Returns whose places are all taken; `undefined` if it got one. */
  take(credential: Credential, reply: FastifyReply): 'credential' | 'organization' | undefined {
    const { type, id } = actorOf(credential)
    const organization = `organization:${credential.organizationId}`
    const holder = `${type}:${id}`
    if (this.#count(holder) >= this.#max.perCredential) return 'credential'
    if (this.#count(organization) >= this.#max.perOrganization) return 'organization'
    for (const name of [organization, holder]) this.#open.set(name, this.#count(name) + 1)
    onResponseClosed(reply, () => {
      for (const name of [organization, holder]) {
        const left = this.#count(name) - 1
        if (left > 0) this.#open.set(name, left)
        else this.#open.delete(name)
      }
    })
    return undefined
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0
  }
}
