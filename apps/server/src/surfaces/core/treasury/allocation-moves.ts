import Type from 'typebox'
import { actorOf } from '../../../identity/index.ts'
import { Failure, validationError } from '../../../kernel/index.ts'
import { chainOf, findOperationalWalletContext } from '../../../operations/index.ts'
import { type AllocateResult, allocate, type RebalanceParts } from '../../../rebalancing/index.ts'
import { requireOffered, strategyById } from '../../../venues/index.ts'
import { ADMINS, type App, alternatives, envelope, id, ok, runVerb } from '../../http/index.ts'
import {
  Amount,
  amountOf,
  amountText,
  opWalletFields,
  percent,
  percentText,
  positiveDecimal,
  presentOpWalletIds,
  requestedOpWalletId,
} from '../formats.ts'
import { operationStatus } from '../operations/operations.ts'
import { withdrawalRoutes } from './withdrawals.ts'

const NewAllocation = Type.Object(
  {
    reservationId: id('Reservation id; equal to the id of its operation.'),
    operationId: id('Operation id of the planned supply.'),
    ...opWalletFields,
    status: operationStatus,
    reservedAmount: Amount,
    shortfall: Amount,
    strategy: Type.Object(
      {
        id: id('Strategy.'),
        name: Type.String({ description: 'Name of the strategy.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
        estimatedAPY: percentText('Current rate of the strategy.'),
      },
      { description: 'The strategy that receives the amount.' },
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Why Weir would not deposit there on its own initiative: an open circuit breaker, or a fee of the vault. Absent if there is none.',
      }),
    ),
  },
  { $id: 'NewAllocation', description: 'A planned deployment.' },
)

const presentAllocated = ({ operation, strategy, warnings }: AllocateResult) => {
  const token = { symbol: strategy.token, decimals: strategy.tokenDecimals }
  const reserved = operation.state === 'REJECTED' ? 0n : (operation.amount ?? 0n)
  return ok({
    reservationId: operation.operationId,
    operationId: operation.operationId,
    ...presentOpWalletIds(operation.opWalletId),
    status: operation.state,
    reservedAmount: amountOf(reserved, token),
    shortfall: amountOf(0n, token),
    strategy: {
      id: strategy.id,
      name: strategy.name,
      protocol: strategy.protocol,
      estimatedAPY: percent(strategy.apy),
    },
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  })
}

const DeploymentBody = alternatives(
  'anyOf',
  Type.Object({
    opWalletId: Type.Optional(id('Operational wallet id.')),
    managedWalletId: Type.Optional(id('Alias of opWalletId; one of the two is required.')),
    amount: amountText,
    asset: Type.String({ description: 'Token symbol, case-insensitive.', examples: ['USDC'] }),
    strategyId: Type.Optional(
      id('Strategy to use, regardless of its cap. By default Weir chooses one within the caps.'),
    ),
  }),
  [
    { title: 'By opWalletId', requires: ['opWalletId'] },
    { title: 'By managedWalletId', requires: ['managedWalletId'] },
  ],
)

const tags = ['Core allocations']
const moves = { access: { surface: 'core', roles: ADMINS, serviceAccounts: true }, idempotent: 'plain' } as const

/** Deployments and withdrawals on request (spec 4.4, 3.3; contract 7). */
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
          "Reserves the amount and queues a supply for the custody agent, after approval if the policy requires it. The amount can be at most the balance above the buffer. Without `strategyId` Weir chooses the strategy with the highest yield after gas. If the policy rejects the supply, its status is REJECTED. Errors: WALLET_NOT_FOUND; STRATEGY_NOT_FOUND; STRATEGY_NOT_ACTIVE; INVALID_TOKEN_SYMBOL if `asset` is not the token of the operational wallet; TOKEN_MISMATCH if it is not that of the strategy; AMOUNT_OUT_OF_BOUNDS with `minDeposit` and `maxDeposit` in decimals, even if no strategy has room for the whole amount within the organization's caps; OPERATION_IN_PROGRESS while an operation of the wallet is unfinished; INSUFFICIENT_BALANCE with `available`, `requested` and `shortfall`; INSUFFICIENT_GAS with `required` and `available` in whole coins; SIMULATION_FAILED; CHAIN_UNAVAILABLE.",
        body: DeploymentBody,
        response: { 201: envelope(NewAllocation, 'The deployment was planned.') },
      },
    },
    async (request, reply) => {
      const { amount, asset, strategyId } = request.body
      const opWalletId = requestedOpWalletId(request.body)
      if (opWalletId === undefined)
        throw validationError('opWalletId', 'either opWalletId or managedWalletId is required')
      const { organizationId } = request.credential
      const { opWallet, wallet } = await findOperationalWalletContext(parts.db, { organizationId, opWalletId })
      if (strategyId !== undefined) await requireOfferedStrategy(parts, strategyId)
      const token = requireOperationalWallet(parts, wallet.blockchain, opWallet.tokenAddress, asset)
      const input = {
        opWallet,
        wallet,
        amount: positiveDecimal('amount', amount, token),
        strategyId,
        requestedBy: actorOf(request.credential),
      }
      return runVerb(reply, 201, presentAllocated, (transact) => allocate(parts, input, transact))
    },
  )

  withdrawalRoutes(app, parts)
}

/** Before token and amount (contract 4). Errors: STRATEGY_NOT_FOUND, STRATEGY_NOT_ACTIVE. */
async function requireOfferedStrategy({ db }: RebalanceParts, strategyId: number): Promise<void> {
  const strategy = await strategyById(db, strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  requireOffered(strategy)
}

/** The token of the operational wallet, which `asset` must name. Error: INVALID_TOKEN_SYMBOL (contract 4). */
function requireOperationalWallet(parts: RebalanceParts, blockchain: string, address: string, asset: string) {
  const { tokens } = chainOf(parts, blockchain).network
  const token = tokens.find((candidate) => candidate.address === address)
  if (token && token.symbol.toLowerCase() === asset.toLowerCase()) return token
  throw new Failure('INVALID_TOKEN_SYMBOL', {
    message: 'The operational wallet has a different token.',
    details: { availableTokens: token ? [token.symbol] : [], requested: asset },
  })
}
