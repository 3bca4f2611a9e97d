import { extendTransact, type Tx } from '../../database/index.ts'
import { creatorColumns, creatorFrom } from '../../identity/index.ts'
import { addMilliseconds, randomBase62, SANDBOX_STEP_DELAY_MS, validationError } from '../../kernel/index.ts'
import type {
  Deposit,
  Scenario,
  SimulatedPayment,
  Simulator,
  StartedSimulation,
  TransferEvent,
} from '../provider/port.ts'
import { setApplicationStatus } from './onboarding.ts'
import type { SandboxProviderParts } from './parts.ts'
import { type SandboxTransfer, snapshotToJson, transferEvent } from './transfer.ts'

/** The bank statement reference of a payment, derived from its name. */
const paymentReference = ({ secrets }: SandboxProviderParts, name: string) => `WEIR-${secrets.digitsFor(name, 10)}`

/** Backs the simulate endpoints: decisions, incoming payments, real deposits. */
export function createSimulator(parts: SandboxProviderParts): Simulator {
  const { clock, random, tokenSender } = parts

  return {
    decideOnboarding: (tx, reference, status) => setApplicationStatus(tx, parts, { reference, status }),

    async payIn(simulated, transact) {
      requireEmbedded(parts, simulated)
      const simulationId = `sim_${randomBase62(random, 22)}`
      const at = clock.now()
      return transact(async (tx) => {
        const event = await startTransfer(tx, {
          reference: `in-${simulationId}`,
          organizationId: simulated.organizationId,
          accountId: simulated.accountId,
          scenario: simulated.scenario,
          delayMs: simulated.delayMs,
          at,
          snapshot: {
            direction: 'onramp',
            accountReference: simulated.accountReference,
            quote: simulated.quote,
            asset: simulated.asset,
            tokenDecimals: simulated.tokenDecimals,
            dust: 0n,
            rail: simulated.rail,
            paymentReference: paymentReference(parts, simulationId),
            txHash: null,
            returnTxHash: null,
            failureReason: null,
            ...(simulated.createdBy && { createdBy: simulated.createdBy }),
            blockchain: simulated.blockchain,
            tokenAddress: simulated.tokenAddress,
            tokensTo: simulated.walletAddress,
          },
        })
        return { simulationId, events: [event] }
      })
    },

    async deposit(simulated, transact) {
      requireEmbedded(parts, simulated)
      const simulationId = `sim_${randomBase62(random, 22)}`
      const { organizationId, blockchain, tokenAddress: token, depositAddress, quote } = simulated
      const payment = { organizationId, blockchain, token, to: depositAddress ?? '', amount: quote.tokenAmount }
      const started: StartedSimulation = { simulationId, events: [] }
      const withDeposit = extendTransact(transact, async (tx, hash: string) => {
        await tx
          .insertInto('ramp_sandbox_deposits')
          .values({
            tx_hash: hash,
            simulation_id: simulationId,
            scenario: simulated.scenario,
            delay_ms: simulated.delayMs,
            created_at: clock.now(),
            ...creatorColumns(simulated.createdBy),
          })
          .execute()
        return started
      })
      await tokenSender.pay({ ...payment, purpose: 'deposit' }, withDeposit)
      return started
    },
  }
}

function requireEmbedded({ tokenSender }: SandboxProviderParts, { blockchain }: SimulatedPayment): void {
  if (tokenSender.serves(blockchain)) return
  throw validationError('account', `is on ${blockchain}, which is not an embedded chain, so nothing can be simulated`)
}

/** Starts the payout of a deposit, with the simulated scenario or `success`. */
export async function startPayout(parts: SandboxProviderParts, tx: Tx, deposit: Deposit): Promise<TransferEvent> {
  const simulated = await tx
    .selectFrom('ramp_sandbox_deposits')
    .select(['scenario', 'delay_ms', 'created_by_type', 'created_by_id'])
    .where('tx_hash', '=', deposit.txHash)
    .executeTakeFirst()
  const createdBy = simulated && creatorFrom(simulated)
  const reference = `out-${deposit.blockchain}-${deposit.depositId}`
  return startTransfer(tx, {
    reference,
    organizationId: deposit.organizationId,
    accountId: deposit.accountId,
    scenario: deposit.rejection ? 'rejected' : ((simulated?.scenario as Scenario | undefined) ?? 'success'),
    delayMs: simulated?.delay_ms ?? SANDBOX_STEP_DELAY_MS.default,
    at: parts.clock.now(),
    snapshot: {
      direction: 'offramp',
      accountReference: deposit.accountReference,
      quote: deposit.quote,
      asset: deposit.asset,
      tokenDecimals: deposit.tokenDecimals,
      dust: deposit.dust,
      rail: deposit.rail,
      paymentReference: paymentReference(parts, reference),
      txHash: deposit.txHash,
      returnTxHash: null,
      failureReason: deposit.rejection,
      ...(createdBy && { createdBy }),
      blockchain: deposit.blockchain,
      tokenAddress: deposit.tokenAddress,
      tokensTo: deposit.returnTo,
    },
  })
}

interface NewSandboxTransfer
  extends Pick<SandboxTransfer, 'reference' | 'organizationId' | 'accountId' | 'scenario' | 'delayMs' | 'snapshot'> {
  readonly at: Date
}

/** Starts a payment and returns its first event. `runDueTransfers` does the remaining steps. */
async function startTransfer(tx: Tx, transfer: NewSandboxTransfer): Promise<TransferEvent> {
  const { reference, snapshot, at } = transfer
  await tx
    .insertInto('ramp_sandbox_transfers')
    .values({
      reference,
      organization_id: transfer.organizationId,
      account_id: transfer.accountId,
      direction: snapshot.direction,
      scenario: transfer.scenario,
      delay_ms: transfer.delayMs,
      due_at: addMilliseconds(at, transfer.delayMs),
      snapshot: snapshotToJson(snapshot),
      created_at: at,
    })
    .execute()
  return transferEvent(reference, 1, 'pending', snapshot)
}
