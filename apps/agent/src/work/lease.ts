import type { Clock } from '../clock.ts'
import type { Service } from '../service/client.ts'
import { ServiceError } from '../service/service-error.ts'
import type { AgentTransaction } from '../service/work.ts'
import type { WorkStep } from './work-step.ts'

/** A held lease, renewed in the background and treated as lost as soon as it may be. */
export interface Lease {
  /** Aborts when the lease is lost: signing is pointless from then on. */
  readonly lost: AbortSignal
  /** Stops renewing. */
  release(): void
}

/** Safety margin: the lease ends here before it ends at the service. */
const MARGIN = 0.1
/** A lease is renewed after this share of its duration. */
const RENEW_AT = 0.4

/**
 * Holds the lease of a transaction just polled. Its duration is the difference of two times by the service's clock,
 * counted from now, so this machine's date does not matter.
 */
export function holdLease(
  transaction: AgentTransaction,
  parts: {
    readonly service: Pick<Service, 'renew'>
    readonly clock: Clock
    readonly emit: (step: WorkStep) => void
  },
): Lease {
  const { service, clock, emit } = parts
  const { id, claimedAt, leaseExpiresAt, leaseToken } = transaction
  const duration = new Date(leaseExpiresAt).getTime() - new Date(claimedAt).getTime()
  const lost = new AbortController()
  const released = new AbortController()
  const ended = AbortSignal.any([lost.signal, released.signal])
  let until = clock.monotonic() + duration * (1 - MARGIN)

  const lose = () => {
    if (ended.aborted) return
    emit('lease-lost')
    lost.abort()
  }

  async function watch(): Promise<void> {
    while (!ended.aborted) {
      const left = until - clock.monotonic()
      if (left <= 0) return lose()
      await clock.sleep(Math.min(duration * RENEW_AT, left), ended)
      if (ended.aborted || clock.monotonic() >= until) continue
      await renew()
    }
  }

  async function renew(): Promise<void> {
    const asked = clock.monotonic()
    try {
      await service.renew(id, leaseToken)
      until = asked + duration * (1 - MARGIN)
      if (!ended.aborted) emit('lease-renewed')
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.isFinal) lose()
    }
  }

  void watch()
  return { lost: lost.signal, release: () => released.abort() }
}
