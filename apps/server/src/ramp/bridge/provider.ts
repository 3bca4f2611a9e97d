import type { Chains } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { addMilliseconds, type Clock, createSealer, Failure, type Log, type RandomSource } from '../../kernel/index.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { RampProvider } from '../provider/port.ts'
import { createBridgeClient } from './client.ts'
import { sweepIgnoredEvents } from './ignored-events.ts'
import { fetchOnboardingEvent, startOnboarding } from './kyc-link.ts'
import { openLiquidationAddress } from './liquidation-address.ts'
import { createPoller } from './poll.ts'
import { readEvents } from './read-events.ts'
import { BRIDGE_PROVIDER } from './received-events.ts'
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
  readonly random: RandomSource
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
  const poll = createPoller(parts)
  let nextPoll = new Date(0)
  let isAway = false

  return {
    name: BRIDGE_PROVIDER,
    startOnboarding: (applicant) => startOnboarding(parts, applicant),
    getOnboarding: (reference) => fetchOnboardingEvent(parts, reference),
    openOnrampAccount: (wish) => openVirtualAccount(parts, wish),
    openOfframpAccount: (wish) => openLiquidationAddress(parts, wish),
    quote: async (asked) => quoteAtPar(asked),
    readEvents: (message) => readEvents(parts, message),
    handleDeposit: async () => [],

    async runDueWork(take) {
      if (clock.now() < nextPoll) return
      nextPoll = addMilliseconds(clock.now(), settings.pollSeconds * 1_000)
      try {
        await poll(take)
        await sweepIgnoredEvents(parts)
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
