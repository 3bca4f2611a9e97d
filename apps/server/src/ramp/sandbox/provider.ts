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

/** The parts of the sandbox's provider, for itself and for the form that it hosts. */
export function sandboxProviderParts({ encryptionKey, ...options }: SandboxProviderOptions): SandboxProviderParts {
  const sealer = createSealer(encryptionKey, 'ramp sandbox applications', options.random)
  return { ...options, secrets: sandboxSecrets(encryptionKey), sealer }
}

/**
 * The provider of the sandbox: a bank that does not exist, and tokens on the embedded chains that do. Its numbers and
 * addresses follow from the service's encryption key and the account's number, so that they are the same after a restart,
 * and never those of another account.
 */
export function createSandboxProvider(parts: SandboxProviderParts): RampProvider {
  const { tokenSender, secrets } = parts
  const requireServed = ({ blockchain, asset }: AccountRequest) => {
    if (tokenSender.serves(blockchain)) return
    throw new Failure('ASSET_NOT_SUPPORTED', { message: `The sandbox cannot ramp ${asset} on ${blockchain}.` })
  }
  return {
    name: SANDBOX_PROVIDER,
    startOnboarding: (applicant) => startOnboarding(parts, applicant),
    getOnboarding: (reference) => readApplicationEvent(parts, reference),

    async openOnrampAccount(wish) {
      requireServed(wish)
      return {
        reference: `account-${wish.accountId}`,
        accountNumber: `9${secrets.digitsFor(`account ${wish.accountId}`, 11)}`,
        // A prefix of the Federal Reserve bank of New York, as many banks have it.
        routingNumber: routingNumberOf(`021${secrets.digitsFor('routing number', 5)}`),
        bankName: BANK_NAME,
        capabilities: [wish.rail, ...RAILS.filter((rail) => rail !== wish.rail)],
      }
    },
    async openOfframpAccount(wish) {
      requireServed(wish)
      return {
        reference: `account-${wish.accountId}`,
        depositAddress: await tokenSender.addressOf(wish.blockchain, secrets.depositKey(wish.accountId)),
      }
    },

    quote: async (asked) => quoteAtPar(asked),
    readEvents: async (message) => [readMessage(parts, message)],
    handleDeposit: async (tx, deposit) => [await startPayout(parts, tx, deposit)],
    simulator: createSimulator(parts),
    async runDueWork(take) {
      // A payment without a delay goes all its way in one round.
      while ((await runDueTransfers(parts, take)) > 0);
    },
  }
}
