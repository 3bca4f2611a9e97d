import type { Database, RampRail } from '../../database/index.ts'
import { type Clock, createSealer, Failure, type Log, type RandomSource, type Sealer } from '../../kernel/index.ts'
import { routingNumberOf } from '../accounts/routing-number.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { AccountRequest, RampProvider } from '../provider/port.ts'
import { readMessage } from './messages.ts'
import { readApplicationEvent, startOnboarding } from './onboarding.ts'
import { runDueTransfers } from './run-transfers.ts'
import { type SandboxSecrets, sandboxSecrets } from './secrets.ts'
import { createSimulator, startPayout } from './simulator.ts'
import type { TokenSender } from './token-sender.ts'

export interface SandboxProviderOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly random: RandomSource
  readonly tokenSender: TokenSender
  /** 64 hexadecimal digits. */
  readonly encryptionKey: string
}

export interface SandboxProviderParts extends Omit<SandboxProviderOptions, 'encryptionKey'> {
  readonly secrets: SandboxSecrets
  readonly sealer: Sealer
}

const SANDBOX_PROVIDER = 'sandbox'
const BANK_NAME = 'Weir Sandbox Bank'
const RAILS: readonly RampRail[] = ['ach', 'fedwire', 'swift']

/** The parts that the sandbox provider shares with its hosted form. */
export function sandboxProviderParts({ encryptionKey, ...options }: SandboxProviderOptions): SandboxProviderParts {
  const sealer = createSealer(encryptionKey, 'ramp sandbox applications', options.random)
  return { ...options, secrets: sandboxSecrets(encryptionKey), sealer }
}

/**
 * The provider of the sandbox: a fictitious bank, and real tokens on the embedded chains. Account numbers and addresses are
 * derived from the service's encryption key and the account id, so they survive a restart and are unique.
 */
export function createSandboxProvider(parts: SandboxProviderParts): RampProvider {
  const { tokenSender, secrets } = parts
  const requireServed = ({ blockchain, asset }: AccountRequest) => {
    if (tokenSender.serves(blockchain)) return
    throw new Failure('ASSET_NOT_SUPPORTED', { message: `The sandbox does not support ${asset} on ${blockchain}.` })
  }
  return {
    name: SANDBOX_PROVIDER,
    startOnboarding: (applicant) => startOnboarding(parts, applicant),
    getOnboarding: (reference) => readApplicationEvent(parts, reference),

    async openOnrampAccount(request) {
      requireServed(request)
      return {
        reference: `account-${request.accountId}`,
        accountNumber: `9${secrets.digitsFor(`account ${request.accountId}`, 11)}`,
        // The prefix of the Federal Reserve Bank of New York, which many banks have.
        routingNumber: routingNumberOf(`021${secrets.digitsFor('routing number', 5)}`),
        bankName: BANK_NAME,
        capabilities: [request.rail, ...RAILS.filter((rail) => rail !== request.rail)],
      }
    },
    async openOfframpAccount(request) {
      requireServed(request)
      return {
        reference: `account-${request.accountId}`,
        depositAddress: await tokenSender.addressOf(request.blockchain, secrets.depositKey(request.accountId)),
      }
    },

    quote: async (request) => quoteAtPar(request),
    readEvents: async (message) => [readMessage(parts, message)],
    handleDeposit: async (tx, deposit) => [await startPayout(parts, tx, deposit)],
    simulator: createSimulator(parts),
    async runDueWork(apply) {
      // A payment without a delay completes in one round.
      while ((await runDueTransfers(parts, apply)) > 0);
    },
  }
}
