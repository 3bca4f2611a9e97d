import type { Config } from '../../config.ts'
import { type AnchorPublisher, fileAnchors, timestampAnchors } from '../../identity/index.ts'
import { assert, type Clock, type Log, type RandomSource } from '../../kernel/index.ts'
import { type AddressRules, signedPost } from '../../webhooks/index.ts'

interface PublisherParts {
  readonly clock: Clock
  readonly random: RandomSource
  readonly log: Log
  readonly rules: AddressRules
}

/** The places of AUDIT_ANCHOR, each with the way to send an anchor to it. */
export function anchorPublishers(
  { places, secret }: NonNullable<Config['auditAnchors']>,
  { clock, random, log, rules }: PublisherParts,
): AnchorPublisher[] {
  return places.map((place) => {
    if (place.kind === 'file') return fileAnchors(place.path, log)
    if (place.kind === 'rfc3161') return timestampAnchors(place.url, random)
    assert(secret !== undefined, 'a webhook has a secret')
    const post = signedPost(place.url, secret, rules)
    return {
      name: 'webhook',
      async publish({ id, line }) {
        await post({ id: `anchor_${id}`, at: clock.now(), body: line })
        return undefined
      },
    }
  })
}
