import type { RampRail } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { routingNumberOf } from '../accounts/routing-number.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { AccountRequest, RampProvider } from '../provider/port.ts'
import { readMessage } from './messages.ts'
import { readApplicationEvent, startOnboarding } from './onboarding.ts'
import type { SandboxProviderParts } from './parts.ts'
import { runDueTransfers } from './run-transfers.ts'
import { createSimulator, startPayout } from './simulator.ts'

const SANDBOX_PROVIDER = 'sandbox'
const BANK_NAME = 'Weir Sandbox Bank'
const RAILS: readonly RampRail[] = ['ach', 'fedwire', 'swift']

/**
 * The provider of the sandbox: a fictitious bank, and real tokens on the embedded chains. Account numbers and addresses are
 * derived from a secret of the service and the account id, so they survive a restart and are unique.
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
