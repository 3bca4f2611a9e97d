import Type from 'typebox'
import { Failure, formatDecimal, validationError } from '../../../kernel/index.ts'
import { chainOf, findOperationalWalletContext, type Operation } from '../../../operations/index.ts'
import {
  type AllocateResult,
  allocate,
  type RebalanceParts,
  type WithdrawResult,
  withdraw,
} from '../../../rebalancing/index.ts'
import { ADMINS, type App, envelope, id, idParams, ok, runVerb } from '../../http/index.ts'
import {
  Amount,
  amountOf,
  opWalletFields,
  percent,
  percentText,
  positiveDecimal,
  presentOpWalletIds,
  requestedOpWalletId,
} from '../formats.ts'
import { operationStatus } from '../operations/operations.ts'

const amountText = Type.String({ description: 'Decimal amount of the token, above zero.', examples: ['500.00'] })

const NewAllocation = Type.Object(
  {
    reservationId: id('Reservation; the same number as the operation, which it belongs to.'),
    operationId: id('The supply that was planned.'),
    ...opWalletFields,
    status: operationStatus,
    reservedAmount: Amount,
    shortfall: Amount,
    strategy: Type.Object(
      {
        id: id('Strategy.'),
        name: Type.String({ description: 'Name of the strategy.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
        estimatedAPY: percentText("The strategy's rate now."),
      },
      { description: 'Where it goes.' },
    ),
  },
  { $id: 'NewAllocation', description: 'A deployment that was planned.' },
)

const PlannedWithdrawal = Type.Object(
  {
    operationId: id('The unwind that was planned.'),
    type: Type.Literal('UNWIND', { description: 'Always UNWIND.' }),
    status: operationStatus,
    ...opWalletFields,
    amount: Amount,
  },
  { $id: 'PlannedWithdrawal', description: 'A withdrawal that was planned.' },
)

const presentAllocated = ({ operation, strategy }: AllocateResult) => {
  const token = { symbol: strategy.token, decimals: strategy.tokenDecimals }
  const held = operation.state === 'REJECTED' ? 0n : (operation.amount ?? 0n)
  return ok({
    reservationId: operation.operationId,
    operationId: operation.operationId,
    ...presentOpWalletIds(operation.opWalletId),
    status: operation.state,
    reservedAmount: amountOf(held, token),
    shortfall: amountOf(0n, token),
    strategy: {
      id: strategy.id,
      name: strategy.name,
      protocol: strategy.protocol,
      estimatedAPY: percent(strategy.apy),
    },
  })
}

const presentWithdrawal = ({ operation, token }: WithdrawResult) =>
  ok({
    operationId: operation.operationId,
    type: 'UNWIND' as const,
    status: operation.state,
    ...presentOpWalletIds(operation.opWalletId),
    amount: { amount: formatDecimal(operation.amount ?? worthOf(operation), token.decimals), currency: token.symbol },
  })

/** What a whole position was worth when its withdrawal was planned, in base units. */
const worthOf = ({ reasons }: Operation): bigint => BigInt(String(reasons?.worth ?? '0'))

const tags = ['Core allocations']
const moves = { access: { surface: 'core', roles: ADMINS }, idempotent: 'plain' } as const

/** Deployments and withdrawals that somebody asks for (spec 4.4, 3.3; contract 7). */
export function allocationMoveRoutes(app: App, parts: RebalanceParts): void {
  app.post(
    '/api/v1/allocations',
    {
      config: {
        ...moves,
        limit: 'allocations.create',
        audit: { details: ['data.status', 'data.opWalletId', 'data.reservedAmount', 'data.strategy'] },
      },
      schema: {
        tags,
        operationId: 'createCoreAllocation',
        summary: 'Deploy an amount',
        description:
          'Holds the amount back and queues a supply, which the custody agent carries out, after approval where the policy asks for it. It may use what is above the buffer. Without `strategyId` the strategy that earns most after gas is chosen. A policy that rejects it answers with status REJECTED. Errors: WALLET_NOT_FOUND; INVALID_TOKEN_SYMBOL when the token is not the one that the operational wallet watches; STRATEGY_NOT_FOUND; STRATEGY_NOT_ACTIVE; AMOUNT_OUT_OF_BOUNDS with `minDeposit` and `maxDeposit` in decimals, also when the caps of the organization leave no strategy room for all of it; OPERATION_IN_PROGRESS while an operation of the wallet is not finished; INSUFFICIENT_BALANCE with `available`, `requested` and `shortfall`; INSUFFICIENT_GAS with `required` and `available` in whole coins; SIMULATION_FAILED; CHAIN_UNAVAILABLE.',
        body: Type.Object({
          opWalletId: Type.Optional(id('Operational wallet.')),
          managedWalletId: Type.Optional(id('The same as opWalletId; one of the two is required.')),
          amount: amountText,
          asset: Type.String({ description: 'Token symbol, in any case.', examples: ['USDC'] }),
          strategyId: Type.Optional(id('Where to, whatever its cap; otherwise it is chosen, within the caps.')),
        }),
        response: { 201: envelope(NewAllocation, 'The deployment is planned.') },
      },
    },
    async (request, reply) => {
      const { amount, asset, strategyId } = request.body
      const opWalletId = requestedOpWalletId(request.body)
      if (opWalletId === undefined)
        throw validationError('opWalletId', 'either opWalletId or managedWalletId is required')
      const { organizationId } = request.credential
      const { opWallet, wallet } = await findOperationalWalletContext(parts.db, { organizationId, opWalletId })
      const token = requireOperationalWallet(parts, wallet.blockchain, opWallet.tokenAddress, asset)
      const input = { opWallet, wallet, amount: positiveDecimal('amount', amount, token), strategyId }
      return runVerb(reply, 201, presentAllocated, (transact) => allocate(parts, input, transact))
    },
  )

  app.post(
    '/api/v1/allocations/:id/withdraw',
    {
      config: { ...moves, limit: 'core', audit: { details: ['data.operationId', 'data.status', 'data.amount'] } },
      schema: {
        tags,
        operationId: 'withdrawCoreAllocation',
        summary: 'Withdraw from an allocation',
        description:
          'Queues an unwind of an amount, or of everything with `full`; exactly one of the two. What it brings back is not deployed again by itself for a while. Errors: ALLOCATION_NOT_FOUND; INVALID_OPERATION_STATUS when it is closed; CONFLICT when nobody monitors its wallet; OPERATION_IN_PROGRESS while an operation of the wallet is not finished; INSUFFICIENT_BALANCE when it is worth less; INSUFFICIENT_GAS; SIMULATION_FAILED; CHAIN_UNAVAILABLE.',
        params: idParams('Allocation id.'),
        body: Type.Object({
          amount: Type.Optional(amountText),
          full: Type.Optional(Type.Boolean({ description: 'True: everything. False is as if it were not there.' })),
        }),
        response: { 201: envelope(PlannedWithdrawal, 'The withdrawal is planned.') },
      },
    },
    async (request, reply) => {
      const { amount, full } = request.body
      if ((amount === undefined) === (full !== true))
        throw validationError('amount', 'either amount or full is required, not both')
      const input = {
        organizationId: request.credential.organizationId,
        allocationId: request.params.id,
        amount:
          amount === undefined
            ? 'full'
            : (token: { symbol: string; decimals: number }) => positiveDecimal('amount', amount, token),
      } as const
      return runVerb(reply, 201, presentWithdrawal, (transact) => withdraw(parts, input, transact))
    },
  )
}

/** The watched token, which the request must name. Error: INVALID_TOKEN_SYMBOL (contract 4). */
function requireOperationalWallet(parts: RebalanceParts, blockchain: string, address: string, asset: string) {
  const { tokens } = chainOf(parts, blockchain).network
  const token = tokens.find((candidate) => candidate.address === address)
  if (token && token.symbol.toLowerCase() === asset.toLowerCase()) return token
  throw new Failure('INVALID_TOKEN_SYMBOL', {
    message: 'The operational wallet watches over another token.',
    details: { availableTokens: token ? [token.symbol] : [], requested: asset },
  })
}
