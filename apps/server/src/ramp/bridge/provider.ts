import type { Chains } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { type Clock, createSealer, Failure, type Log, later, type Random } from '../../kernel/index.ts'
import { quoteAtPar } from '../fees.ts'
import type { RampProvider } from '../port.ts'
import { createBridgeClient } from './client.ts'
import { sweepIgnored } from './ignored.ts'
import { onboardingNow, startOnboarding } from './kyc-link.ts'
import { openLiquidationAddress } from './liquidation-address.ts'
import { createPoll } from './poll.ts'
import { readEvents } from './read-events.ts'
import { BRIDGE } from './told.ts'
import { openVirtualAccount } from './virtual-account.ts'

/** What an operator sets to have Bridge behind the service. */
export interface BridgeSettings {
  readonly apiKey: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** PEM. */
  readonly webhookPublicKey: string
  readonly contactEmail: string
  readonly pollSeconds: number
}

export interface BridgeOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: Random
  readonly chains: Chains
  readonly settings: BridgeSettings
  /** 64 hexadecimal digits. */
  readonly encryptionKey: string
  /** For one call of the partner's API. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 10_000

/**
 * The banking partner Bridge (bridge.xyz): customers with hosted forms, virtual accounts that deliver tokens, and
 * addresses that pay out. It watches chains and banks by itself and says what happened in signed messages; a poll of its
 * lists finds what they did not tell. `docs/ramp-bridge.md` names the page of its reference behind each fact.
 */
export function createBridgeProvider({ settings, timeoutMs = TIMEOUT_MS, ...options }: BridgeOptions): RampProvider {
  const { clock, log } = options
  const parts = {
    ...options,
    ...settings,
    client: createBridgeClient({ ...settings, log, timeoutMs }),
    sealer: createSealer(options.encryptionKey, 'ramp bridge events', options.random),
  }
  const poll = createPoll(parts)
  let nextPoll = new Date(0)
  let isAway = false

  return {
    name: BRIDGE,
    startOnboarding: (applicant) => startOnboarding(parts, applicant),
    onboardingNow: (reference) => onboardingNow(parts, reference),
    openOnrampAccount: (wish) => openVirtualAccount(parts, wish),
    openOfframpAccount: (wish) => openLiquidationAddress(parts, wish),
    quote: async (asked) => quoteAtPar(asked),
    readEvents: (message) => readEvents(parts, message),
    depositSeen: async () => [],

    async work(take) {
      if (clock.now() < nextPoll) return
      nextPoll = later(clock.now(), settings.pollSeconds * 1_000)
      try {
        await poll(take)
        await sweepIgnored(parts)
        if (isAway) log.info({}, 'the banking partner answers again')
        isAway = false
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'RAMP_UNAVAILABLE') throw error
        if (!isAway) log.warn({ err: error }, 'the banking partner does not answer')
        isAway = true
      }
    },
  }
}
