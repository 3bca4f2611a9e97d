import Type from 'typebox'
import type { ExitView } from '../../../allocations/index.ts'
import { BLOCKCHAINS, callParts } from '../../../chains/index.ts'
import {
  approvedAtOf,
  calculateSupplyYield,
  exitOfOperation,
  getOperationView,
  hasEnded,
  hasHash,
  isUnfinished,
  leftAllowance,
  listDecisions,
  type Operation,
  type OperationTransaction,
  type OperationView,
  type Parts,
  pauseReason,
} from '../../../operations/index.ts'
import type { SpenderAllowance } from '../../../venues/index.ts'
import { type App, envelope, id, idParams, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { ExitData, presentExit } from '../exit-data.ts'
import {
  Amount,
  amountOf,
  DualTime,
  dualTime,
  dualTimeOrNull,
  opWalletFields,
  orNull,
  percent,
  percentText,
  presentOpWalletIds,
  STEP_TYPES,
  StepType,
} from '../formats.ts'
import { labelOfSubject, walletLabel } from '../wallet-names.ts'
import { BlockchainTransaction, presentBlockchainTransaction } from './blockchain-transaction.ts'
import { LeftAllowance } from './left-allowance.ts'
import {
  executor,
  exitStep,
  exitStepField,
  operationStatus,
  operationType,
  origin,
  presentActualApy,
  RequestedBy,
  revokesAllowance,
  revokesAllowanceField,
} from './operations.ts'
import { PlannedCall, presentPlannedCall } from './planned-call.ts'
import { Decision, presentDecision } from './present-decision.ts'
import { presentYield } from './present-yield.ts'
import { presentReasons, Reasons } from './reasons.ts'

const STEP_STATUSES = ['PENDING', 'EXECUTING', 'CONFIRMING', 'COMPLETED', 'FAILED'] as const
const UPPER_BLOCKCHAINS = BLOCKCHAINS.map((blockchain) => blockchain.toUpperCase() as Uppercase<typeof blockchain>)

const Step = Type.Object(
  {
    id: id('Step id.'),
    type: StepType,
    status: Type.Enum([...STEP_STATUSES], {
      description: 'EXECUTING: ready to sign. CONFIRMING: submitted, not yet final.',
    }),
    provider: Type.Object(
      {
        name: Type.String({ description: 'Name of the venue.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
      },
      { description: 'The venue.' },
    ),
    amount: Amount,
    calls: Type.Optional(
      Type.Array(PlannedCall, {
        description:
          'What the step calls: one contract, or on Solana several programs in order. Nonce, fees, blockhash and memo are chosen when bytes are built. For an operation that people approve, exactly these calls are issued.',
      }),
    ),
    error: Type.Optional(
      Type.String({
        description:
          'Why the step failed or was never broadcast, human-readable, such as the error that your agent reported; absent if there is no error.',
        examples: [
          'The agent reported: UNKNOWN_WALLET: this agent holds no key of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        ],
      }),
    ),
  },
  { $id: 'OperationStep', description: 'A step of an operation: one transaction.' },
)

const detail = {
  id: id('Operation id.'),
  type: operationType,
  exitStep: Type.Optional(exitStep),
  revokesAllowance,
  status: operationStatus,
  ...opWalletFields,
  opWallet: Type.Object(
    {
      id: opWalletFields.opWalletId,
      address: Type.String({ description: 'Address of the wallet.' }),
      label: Type.Optional(walletLabel),
      blockchain: Type.Enum(UPPER_BLOCKCHAINS, { description: 'Blockchain, upper case.' }),
    },
    { description: 'The wallet of the operation.' },
  ),
  walletId: id('Organization wallet id.'),
  token: Type.Object(
    {
      symbol: Type.String({ description: 'Symbol.' }),
      decimals: Type.Integer({ description: 'Decimals.' }),
      mintAddress: Type.String({ description: 'Address of the token.' }),
    },
    { description: 'The token of the operation.' },
  ),
  amount: Amount,
  strategy: Type.Object(
    {
      id: id('Strategy id.'),
      name: Type.String({ description: 'Name of the strategy.' }),
      estimatedAPY: percentText('Current rate of the strategy.'),
    },
    { description: 'The strategy that receives or returns the money.' },
  ),
  steps: Type.Array(Step, { description: 'Steps in order.' }),
  blockchainTransactions: Type.Array(BlockchainTransaction, { description: 'Transactions that were submitted.' }),
  executor,
  origin,
  requestedBy: Type.Optional(RequestedBy),
  reasons: orNull(Reasons, 'Why this move, this strategy and this amount; null if a v1 client chose them.'),
  requiredApprovals: Type.Integer({ description: 'Number of approvals required; 0 if none.' }),
  approvalRule: orNull(Type.String(), 'Name of the approval policy rule that decided; null if none did.'),
  decisions: Type.Optional(Type.Array(Decision, { description: "Members' decisions, oldest first; absent if none." })),
  actualAPY: orNull(percentText('Rate.'), 'Actual rate; null until the operation completes.'),
  pausedBecause: orNull(
    Type.String(),
    'Why the next transaction cannot be issued to your agent now, human-readable, such as a wallet without gas; null if it can. It is re-evaluated when an agent polls.',
  ),
  leftAllowance: Type.Optional(LeftAllowance),
  exit: Type.Optional(ExitData),
  failureReason: orNull(Type.String(), 'Why the operation ended without effect; null otherwise.'),
  timestamps: Type.Object(
    {
      createdAt: DualTime,
      approvedAt: orNull(DualTime, 'When the last required approval arrived; null if there was none.'),
      rejectedAt: orNull(DualTime, 'When the operation was rejected; null otherwise.'),
      completedAt: orNull(DualTime, 'When the operation ended; null while it is unfinished.'),
    },
    { description: 'Timestamps.' },
  ),
}

const Detail = Type.Object(detail, { $id: 'CoreOperation', description: 'An operation, planned on either surface.' })

const EnhancedDetail = Type.Object(
  {
    ...detail,
    yieldMetrics: orNull(
      Type.Object({
        principalDeployed: Amount,
        yieldEarned: Amount,
        effectiveAPY: Type.String({
          description: 'APY of the yield so far, in percent; the current rate of the strategy within the first day.',
          examples: ['6.00'],
        }),
        daysAllocated: Type.Number({
          description: 'Days from landing until now, or until the position was closed, rounded to hundredths.',
        }),
      }),
      'Yield of a completed SUPPLY: its proportional share of the earnings of the position; null for other operations.',
    ),
  },
  { $id: 'EnhancedCoreOperation', description: 'An operation with its yield.' },
)

interface Findings {
  readonly pausedBecause: string | null
  readonly left: SpenderAllowance | null
  readonly exit: ExitView | undefined
}

function presentDetail(operation: Operation, view: OperationView, { pausedBecause, left, exit }: Findings) {
  const token = { symbol: view.token, decimals: view.tokenDecimals }
  const amount = amountOf(view.amount, token)
  const { transactions } = operation
  return {
    id: operation.operationId,
    type: view.type,
    ...exitStepField(operation),
    ...revokesAllowanceField(view),
    status: operation.state,
    ...presentOpWalletIds(view.opWalletId),
    opWallet: {
      id: view.opWalletId,
      address: view.walletAddress,
      label: labelOfSubject(view),
      blockchain: view.blockchain.toUpperCase() as (typeof UPPER_BLOCKCHAINS)[number],
    },
    walletId: view.walletId,
    token: { ...token, mintAddress: view.tokenAddress },
    amount,
    strategy: { id: view.strategyId, name: view.strategyName, estimatedAPY: percent(view.estimatedApy) },
    steps: transactions.map((transaction) => ({
      id: transaction.transactionId,
      type: STEP_TYPES[transaction.kind],
      status: stepStatus(operation, transaction),
      provider: { name: view.venueName, protocol: view.protocol },
      amount,
      calls: callParts(transaction.call).map(presentPlannedCall),
      ...presentError(transaction),
    })),
    blockchainTransactions: transactions.flatMap((transaction) =>
      hasHash(transaction)
        ? [{ ...presentBlockchainTransaction(transaction), txHash: transaction.txHash, amount }]
        : [],
    ),
    executor: operation.executor,
    origin: operation.origin,
    requestedBy: operation.requestedBy,
    reasons: presentReasons(operation, view.tokenDecimals),
    requiredApprovals: operation.requiredApprovals,
    approvalRule: operation.approvalRule,
    actualAPY: presentActualApy(operation),
    pausedBecause,
    leftAllowance: left && { ...left, amount: amountOf(left.amount, token) },
    ...(exit && { exit: presentExit(exit) }),
    failureReason: hasEnded(operation) ? operation.failureReason : null,
    timestamps: {
      createdAt: dualTime(operation.createdAt),
      approvedAt: dualTimeOrNull(approvedAtOf(operation)),
      rejectedAt: operation.state === 'REJECTED' ? dualTime(operation.rejectedAt) : null,
      completedAt: hasEnded(operation) ? dualTime(operation.completedAt) : null,
    },
  }
}

/** The error of a transaction; a late landing clears it. */
function presentError(transaction: OperationTransaction): { error?: string } {
  if (transaction.status !== 'failed') return {}
  const { error } = transaction
  const reason = transaction.state === 'reverted' ? transaction.revertReason : null
  return { error: reason === null ? error : `${error} Its reason: ${reason}` }
}

/** Steps are executed in order: the first unsigned transaction is the one to sign. */
function stepStatus(
  { state, transactions }: Operation,
  { transactionId, status: sent }: OperationTransaction,
): (typeof STEP_STATUSES)[number] {
  if (sent === 'confirmed') return 'COMPLETED'
  if (sent === 'pending') return 'CONFIRMING'
  if (sent === 'failed' || !isUnfinished(state)) return 'FAILED'
  const next = transactions.find((transaction) => transaction.status === 'unsigned')
  const isNext = next?.transactionId === transactionId
  return isNext && state === 'EXECUTING' ? 'EXECUTING' : 'PENDING'
}

/** One operation in detail (spec 2.2 and 4.3, contract 1). */
export function operationDetailRoute(app: App, parts: Parts, preview: boolean): void {
  app.get(
    '/api/core/operations/:id',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Core operations'],
        operationId: 'getCoreOperation',
        summary: 'Get an operation in detail',
        description:
          'A completed operation with an `exitStep` has `exit`: what its wallet requested back from the strategy, as it is now. It waits while that is not `claimed`. Error: OPERATION_NOT_FOUND.',
        params: idParams('Operation id.'),
        response: { 200: envelope(preview ? EnhancedDetail : Detail, 'The operation.') },
      },
    },
    async ({ params, credential: { organizationId } }) => {
      const { operation, view } = await getOperationView(parts, organizationId, params.id)
      const left = await leftAllowance(parts, operation)
      const exit = await exitOfOperation(parts, operation)
      const decisions = await listDecisions(parts.db, operation)
      const pausedBecause = await pauseReason(parts, operation)
      const detailed = {
        ...presentDetail(operation, view, { pausedBecause, left, exit }),
        ...(decisions.length > 0 && { decisions: decisions.map(presentDecision) }),
      }
      if (!preview) return ok(detailed)
      return ok({
        ...detailed,
        yieldMetrics: presentYield(await calculateSupplyYield(parts, organizationId, view), view),
      })
    },
  )
}
