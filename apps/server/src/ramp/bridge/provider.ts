import type { Chains } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import {
  BRIDGE_REQUEST_TIMEOUT_MS,
  type Clock,
  createOutageLog,
  createSealer,
  Failure,
  havePassed,
  type KeyRing,
  type Log,
  type RandomSource,
  reportingSealer,
  type UnreadableValues,
} from '../../kernel/index.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { RampProvider } from '../provider/port.ts'
import { createBridgeClient } from './client.ts'
import { fetchOnboardingEvent, startOnboarding } from './kyc-link.ts'
import { openLiquidationAddress } from './liquidation-address.ts'
import { createPoller } from './poll.ts'
import { readEvents } from './read-events.ts'
import { BRIDGE_PROVIDER } from './received-events.ts'
import { openVirtualAccount } from './virtual-account.ts'

/** Settings of the Bridge provider. */
export interface BridgeSettings {
  readonly apiKey: string
  /** Without a trailing slash. */
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
  readonly encryptionKeys: KeyRing | string
  /** Keys the hashes of requests; 64 hexadecimal digits. */
  readonly fingerprintKey: string
  /** Learns of stored messages that do not open. */
  readonly unreadable?: UnreadableValues | undefined
  /** Per call to the partner's API. */
  readonly timeoutMs?: number
}

/**
 * The banking partner Bridge (bridge.xyz): customers with hosted forms, virtual accounts that deliver tokens, and
 * addresses that pay out. Bridge monitors chains and banks itself and reports changes in signed messages; polling its
 * lists covers lost messages. `docs/ramp-bridge.md` cites the API reference for each fact.
 */
export function createBridgeProvider({
  settings,
  timeoutMs = BRIDGE_REQUEST_TIMEOUT_MS,
  ...options
}: BridgeOptions): RampProvider {
  const { clock, log } = options
  const parts = {
    ...options,
    ...settings,
    client: createBridgeClient({ ...settings, log, timeoutMs }),
    sealer: reportingSealer(
      createSealer(options.encryptionKeys, 'ramp bridge events', options.random),
      options.unreadable,
    ),
  }
  const poll = createPoller(parts)
  let polledAt: Date | undefined
  const outage = createOutageLog(log, {
    away: 'the banking partner is unavailable',
    back: 'the banking partner is available again',
  })

  return {
    name: BRIDGE_PROVIDER,
    watchesAddresses: true,
    startOnboarding: (applicant) => startOnboarding(parts, applicant),
    getOnboarding: (reference) => fetchOnboardingEvent(parts, reference),
    openOnrampAccount: (request) => openVirtualAccount(parts, request),
    openOfframpAccount: (request) => openLiquidationAddress(parts, request),
    quote: async (request) => quoteAtPar(request),
    readEvents: (message) => readEvents(parts, message),

    async runDueWork(apply) {
      const now = clock.now()
      if (!havePassed(settings.pollSeconds * 1_000, polledAt, now)) return
      polledAt = now
      try {
        await poll(apply)
        outage.recovered()
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'RAMP_UNAVAILABLE') throw error
        outage.failed({ err: error })
      }
    },
  }
}
