import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import {
  calculateSupplyYield,
  getOperationView,
  isUnfinished,
  type Operation,
  type OperationTransaction,
  type OperationView,
  type Parts,
  pauseReason,
  type SupplyYield,
} from '../../../operations/index.ts'
import { type App, envelope, id, idParams, ok } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
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
  twoDigits,
} from '../formats.ts'
import { executor, operationStatus, operationType, origin } from './operations.ts'
import { presentReasons, Reasons } from './reasons.ts'

const TRANSACTION_TYPES = {
  approve_reset: 'APPROVE',
  approve: 'APPROVE',
  supply: 'SUPPLY',
  unwind: 'UNWIND',
} as const satisfies Record<OperationTransaction['kind'], string>
const STEP_STATUSES = ['PENDING', 'EXECUTING', 'CONFIRMING', 'COMPLETED', 'FAILED'] as const
const TRANSACTION_STATUSES = {
  unsigned: 'PENDING',
  pending: 'PENDING',
  confirmed: 'CONFIRMED',
  failed: 'FAILED',
} as const satisfies Record<OperationTransaction['state'], string>
const UPPER_BLOCKCHAINS = BLOCKCHAINS.map((blockchain) => blockchain.toUpperCase() as Uppercase<typeof blockchain>)

const Step = Type.Object(
  {
    id: id('Step id.'),
    type: StepType,
    status: Type.Enum([...STEP_STATUSES], {
      description: 'EXECUTING: to be signed now. CONFIRMING: on its way to the chain.',
    }),
    provider: Type.Object(
      {
        name: Type.String({ description: 'Name of the venue.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
      },
      { description: 'The venue.' },
    ),
    amount: Amount,
    error: Type.Optional(
      Type.String({
        description:
          'Why it failed or was never sent, for people: what your agent reported, for example; absent while nothing is wrong.',
        examples: [
          'The agent reported: UNKNOWN_WALLET: this agent holds no key of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        ],
      }),
    ),
  },
  { $id: 'OperationStep', description: 'A step of an operation: one transaction.' },
)

const BlockchainTransaction = Type.Object(
  {
    id: id('Transaction id.'),
    txHash: Type.String({ description: 'Hash, also while it is pending.' }),
    type: Type.Enum(['APPROVE', 'SUPPLY', 'UNWIND'], { description: 'What it does.' }),
    status: Type.Enum(['PENDING', 'CONFIRMED', 'FAILED'], { description: 'CONFIRMED: final on the chain.' }),
    amount: Amount,
    timestamps: Type.Object(
      {
        detectedAt: orNull(DualTime, 'When it was seen on the network; null until then.'),
        confirmedAt: orNull(DualTime, 'When it was final; null until then.'),
      },
      { description: 'When what happened to it.' },
    ),
  },
  { $id: 'BlockchainTransaction', description: 'A transaction that was sent.' },
)

const detail = {
  id: id('Operation id.'),
  type: operationType,
  status: operationStatus,
  ...opWalletFields,
  opWallet: Type.Object(
    {
      id: opWalletFields.opWalletId,
      address: Type.String({ description: 'Address of the wallet.' }),
      blockchain: Type.Enum(UPPER_BLOCKCHAINS, { description: 'Blockchain, upper case.' }),
    },
    { description: 'The wallet that it moves money of.' },
  ),
  walletId: id('Organization wallet id.'),
  token: Type.Object(
    {
      symbol: Type.String({ description: 'Symbol.' }),
      decimals: Type.Integer({ description: 'Decimals.' }),
      mintAddress: Type.String({ description: 'Address of the token.' }),
    },
    { description: 'The token that moves.' },
  ),
  amount: Amount,
  strategy: Type.Object(
    {
      id: id('Strategy id.'),
      name: Type.String({ description: 'Name of the strategy.' }),
      estimatedAPY: percentText('Its rate now.'),
    },
    { description: 'Where the money goes, or where it comes from.' },
  ),
  steps: Type.Array(Step, { description: 'In their order.' }),
  blockchainTransactions: Type.Array(BlockchainTransaction, { description: 'What was sent of it.' }),
  executor,
  origin,
  reasons: orNull(Reasons, 'Why this move, this strategy and this amount; null where a caller of v1 chose them.'),
  requiredApprovals: Type.Integer({ description: 'How many people have to approve it; 0 for none.' }),
  approvalRule: orNull(Type.String(), 'The rule of the approval policy that decided; null when none did.'),
  actualAPY: orNull(percentText('Rate.'), 'Known once it completed.'),
  pausedBecause: orNull(
    Type.String(),
    'Why your agent is not given its next transaction now, for people: a wallet without gas, for example; null where nothing stands in the way. It is looked at again when an agent asks for work.',
  ),
  failureReason: orNull(Type.String(), 'Why it ended without effect; null otherwise.'),
  timestamps: Type.Object(
    {
      createdAt: DualTime,
      approvedAt: orNull(DualTime, 'When people had approved it; null where none did.'),
      rejectedAt: orNull(DualTime, 'When somebody rejected it; null otherwise.'),
      completedAt: orNull(DualTime, 'When it ended; null while it is open.'),
    },
    { description: 'When what happened.' },
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
        effectiveAPY: Type.String({ description: 'Its yield so far, annualized, in percent.', examples: ['6.00'] }),
        daysAllocated: Type.Number({
          description: 'Days since it landed, to a hundredth; until its position was closed.',
        }),
      }),
      'What a completed SUPPLY brought: its share of what the position earned, by amount; null for other operations.',
    ),
  },
  { $id: 'EnhancedCoreOperation', description: 'An operation with what it brought.' },
)

function presentDetail(operation: Operation, view: OperationView, pausedBecause: string | null) {
  const token = { symbol: view.token, decimals: view.tokenDecimals }
  const amount = amountOf(view.amount, token)
  const { transactions } = operation
  return {
    id: operation.operationId,
    type: operation.type,
    status: operation.state,
    ...presentOpWalletIds(view.opWalletId),
    opWallet: {
      id: view.opWalletId,
      address: view.walletAddress,
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
      ...presentError(transaction),
    })),
    blockchainTransactions: transactions.flatMap((transaction) =>
      transaction.txHash === null ? [] : [{ ...presentTransaction(transaction), txHash: transaction.txHash, amount }],
    ),
    executor: operation.executor,
    origin: operation.origin,
    reasons: presentReasons(operation, view.tokenDecimals),
    requiredApprovals: operation.requiredApprovals,
    approvalRule: operation.approvalRule,
    actualAPY: operation.actualApy === null ? null : percent(operation.actualApy),
    pausedBecause,
    failureReason: operation.failureReason,
    timestamps: {
      createdAt: dualTime(operation.createdAt),
      approvedAt: dualTimeOrNull(operation.approvedAt),
      rejectedAt: dualTimeOrNull(operation.rejectedAt),
      completedAt: dualTimeOrNull(operation.completedAt),
    },
  }
}

function presentTransaction({ transactionId, kind, state, lastSeenAt, finalizedAt }: OperationTransaction) {
  return {
    id: transactionId,
    type: TRANSACTION_TYPES[kind],
    status: TRANSACTION_STATUSES[state],
    timestamps: {
      detectedAt: dualTimeOrNull(lastSeenAt ?? finalizedAt),
      confirmedAt: dualTimeOrNull(finalizedAt),
    },
  }
}

/** A transaction that landed after all has none any more. */
function presentError({ error, revertReason }: OperationTransaction): { error?: string } {
  if (error === null) return {}
  return { error: revertReason === null ? error : `${error} Its reason: ${revertReason}` }
}

/** Steps go in order: of those that were never sent, the first is the one to sign. */
function stepStatus(
  { state, transactions }: Operation,
  { transactionId, state: sent }: OperationTransaction,
): (typeof STEP_STATUSES)[number] {
  if (sent === 'confirmed') return 'COMPLETED'
  if (sent === 'pending') return 'CONFIRMING'
  if (sent === 'failed' || !isUnfinished(state)) return 'FAILED'
  const next = transactions.find((transaction) => transaction.state === 'unsigned')
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
        description: 'Error: OPERATION_NOT_FOUND.',
        params: idParams('Operation id.'),
        response: { 200: envelope(preview ? EnhancedDetail : Detail, 'The operation.') },
      },
    },
    async ({ params, credential: { organizationId } }) => {
      const { operation, view } = await getOperationView(parts, organizationId, params.id)
      const told = presentDetail(operation, view, await pauseReason(parts, operation))
      if (!preview) return ok(told)
      return ok({ ...told, yieldMetrics: presentYield(await calculateSupplyYield(parts, organizationId, view), view) })
    },
  )
}

function presentYield(found: SupplyYield | undefined, view: OperationView) {
  if (!found) return null
  const token = { symbol: view.token, decimals: view.tokenDecimals }
  return {
    principalDeployed: amountOf(found.principal, token),
    yieldEarned: amountOf(found.earned, token),
    effectiveAPY: twoDigits(found.effectiveApy),
    daysAllocated: Math.round(found.days * 100) / 100,
  }
}
