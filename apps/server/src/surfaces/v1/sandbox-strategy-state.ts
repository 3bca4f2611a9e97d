import type { StrategyState, StrategyStateChange } from '@weir/devnet'
import Type, { type Static } from 'typebox'
import {
  COOLDOWN_SECONDS_MAX,
  Failure,
  formatDecimal,
  parseBaseUnits,
  parseDecimal,
  RATE_BPS_MAX,
  VENUE_LOSS_BPS_MAX,
  validationError,
} from '../../kernel/index.ts'
import { getStrategyState, type SandboxParts, setStrategyState } from '../../sandbox/index.ts'
import { type App, id } from '../http/index.ts'
import { baseUnits, orNull } from './schemas.ts'

const part = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: VENUE_LOSS_BPS_MAX, description }))
const digits = (description: string) => Type.String({ pattern: '^[0-9]+$', description })

const Change = Type.Object({
  liquidity: Type.Optional(
    Type.Enum(['leave', 'return'], {
      description:
        '`leave`: a borrower takes liquidity, so that withdrawals of more than the rest fail. `return`: it repays it.',
    }),
  ),
  amount: Type.Optional(
    digits(
      'With `liquidity` only: how much, in base units of the token. Without it, all: `leave` borrows the venue out.',
    ),
  ),
  depositCap: Type.Optional(
    orNull(
      digits(
        'The total that deposits must not exceed, in base units; a reserve of Aave rounds it down to whole tokens, to one at least. null: no cap.',
      ),
    ),
  ),
  paused: Type.Optional(Type.Boolean({ description: 'Whether deposits and withdrawals are refused.' })),
  frozen: Type.Optional(
    Type.Boolean({ description: 'Whether deposits are refused. Aave, Comet and the credit vault only.' }),
  ),
  lossBps: part(
    'The venue loses this part of its assets now, in basis points; every holder bears it. 0 makes good all losses so far. Vaults only.',
  ),
  feeBps: part('The part of the yield that the venue keeps, in basis points. Vaults only.'),
  tokenPriceUsd: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,6}(\\.[0-9]{1,8})?$',
      description:
        "What the price feed of the strategy's token reports, above zero. All strategies of the token on this blockchain share it.",
      examples: ['0.88'],
    }),
  ),
  upgraded: Type.Optional(
    Type.Boolean({
      description:
        'Whether the contract runs its other code. Only the upgradeable vault, the layer behind Fluid USDC, and on Solana the program of all share vaults, which is deployed again.',
    }),
  ),
  pendingExits: Type.Optional(
    Type.Literal('settle', {
      description: 'Makes all requested withdrawals claimable, at the current share price. Only the ERC-7540 vault.',
    }),
  ),
  cooldownSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: COOLDOWN_SECONDS_MAX,
      description: 'How long a requested withdrawal waits; 0: withdrawals pay at once. Only the cooldown vault.',
    }),
  ),
  rateBps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: RATE_BPS_MAX,
      description: 'What the venue pays a year before compounding, in basis points. Only the savings vault.',
    }),
  ),
  rewardBps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: RATE_BPS_MAX,
      description:
        'What the market pays a year in its reward token on all deposits that it has now, in basis points while that token is worth a dollar; 0: nothing. Only Comet.',
    }),
  ),
  withdrawable: Type.Optional(
    digits(
      "What the withdrawal limit of Fluid's kind leaves now, in base units, at most what it finally leaves; it grows by the chain's clock.",
    ),
  ),
})

const State = Type.Object(
  {
    strategyId: id('Strategy id.'),
    paused: Type.Boolean({ description: 'Whether deposits and withdrawals are refused.' }),
    frozen: Type.Boolean({ description: 'Whether deposits are refused.' }),
    depositCap: orNull(baseUnits('The total that deposits must not exceed; null: no cap.')),
    totalAssets: baseUnits('What the venue owes all its depositors together.'),
    liquidity: baseUnits('What it could pay now if it were not paused.'),
    feeBps: Type.Integer({ description: 'The part of the yield that the venue keeps, in basis points.' }),
    tokenPriceUsd: Type.Optional(
      Type.String({ description: 'What the price feed of its token reports. Absent where there is no feed.' }),
    ),
    upgraded: Type.Optional(
      Type.Boolean({ description: 'Whether the contract runs its other code. Absent where it cannot be upgraded.' }),
    ),
    cooldownSeconds: Type.Optional(
      Type.Integer({ description: 'How long a requested withdrawal waits. Absent where there is no cooldown.' }),
    ),
    rateBps: Type.Optional(
      Type.Integer({
        description: 'What it pays a year before compounding, in basis points. Absent where nobody sets it.',
      }),
    ),
    rewardBps: Type.Optional(
      Type.Integer({
        description:
          'What it pays a year in its reward token, as `rewardBps` sets it. Absent where it pays no rewards.',
      }),
    ),
  },
  { $id: 'SandboxStrategyState', description: 'The state of the venue of a strategy, read from its chain.' },
)

const present = (strategyId: number, state: StrategyState): Static<typeof State> => ({
  strategyId,
  paused: state.paused,
  frozen: state.frozen,
  depositCap: state.depositCap === null ? null : state.depositCap.toString(),
  totalAssets: state.totalAssets.toString(),
  liquidity: state.liquidity.toString(),
  feeBps: state.feeBasisPoints,
  ...(state.tokenPrice !== undefined && { tokenPriceUsd: formatDecimal(state.tokenPrice, FEED_DECIMALS) }),
  ...(state.upgraded !== undefined && { upgraded: state.upgraded }),
  ...(state.cooldownSeconds !== undefined && { cooldownSeconds: state.cooldownSeconds }),
  ...(state.rateBasisPoints !== undefined && { rateBps: state.rateBasisPoints }),
  ...(state.rewardBasisPoints !== undefined && { rewardBps: state.rewardBasisPoints }),
})

const FEED_DECIMALS = 8

const params = Type.Object({ id: id('Strategy id.') })
const tags = ['Sandbox']

/** States of venues in the sandbox; not registered in live. */
export function sandboxStrategyStateRoutes(app: App, parts: SandboxParts): void {
  app.get(
    '/v1/sandbox/strategies/:id/state',
    {
      config: {
        access: { surface: 'v1', needs: 'read', permission: 'read' },
        limit: 'v1.read',
        conflict: 'The strategy has no state that changes.',
      },
      schema: {
        tags,
        operationId: 'getSandboxStrategyState',
        summary: 'Get the state of a venue',
        description:
          'Read from the embedded chain. Errors: STRATEGY_NOT_FOUND; VALIDATION_ERROR for a strategy of a chain that is not embedded; CONFLICT with `details.reason` `state_not_supported` for a vault with a fixed rate, whose state never changes; CHAIN_UNAVAILABLE.',
        params,
        response: { 200: State },
      },
    },
    async ({ params }) => present(params.id, await getStrategyState(parts, params.id)),
  )

  app.post(
    '/v1/sandbox/strategies/:id/state',
    {
      config: {
        access: { surface: 'v1', needs: 'write', permission: 'plan' },
        limit: 'v1.write',
        idempotent: 'plain',
        conflict: 'The strategy has no such state, or its venue refuses the change.',
        audit: {
          object: 'sandbox',
          details: [
            'body.liquidity',
            'body.amount',
            'body.depositCap',
            'body.paused',
            'body.frozen',
            'body.lossBps',
            'body.feeBps',
            'body.tokenPriceUsd',
            'body.upgraded',
            'body.pendingExits',
            'body.cooldownSeconds',
            'body.rateBps',
            'body.rewardBps',
            'body.withdrawable',
          ],
        },
      },
      schema: {
        tags,
        operationId: 'setSandboxStrategyState',
        summary: 'Change the state of a venue',
        description:
          'Makes a venue on an embedded chain as unkind as venues on public chains are: it cannot pay, is full, paused or frozen, loses money, is off its peg, is upgraded, pays another rate or other rewards, limits withdrawals, or settles the withdrawals that were requested. Give one change in each request. The change is made by transactions on the chain, which all organizations of this service share; it lasts until it is changed back, even across restarts. Responds once it is in a block and in the catalogue. Errors: STRATEGY_NOT_FOUND; VALIDATION_ERROR for another number of changes, and for a strategy of a chain that is not embedded; CONFLICT with `details.reason` `state_not_supported` if the venue has no such state, or `venue_refused` if its contracts refuse in their current state; CHAIN_UNAVAILABLE.',
        params,
        body: Change,
        response: { 200: State },
      },
    },
    async ({ params, body }) => {
      const state = await setStrategyState(parts, { strategyId: params.id, change: parseChange(body) })
      return present(params.id, state)
    },
  )
}

/** Exactly one change, and an amount only with liquidity. Error: VALIDATION_ERROR. */
function parseChange({ amount, ...kinds }: Static<typeof Change>): StrategyStateChange {
  const {
    liquidity,
    depositCap,
    paused,
    frozen,
    lossBps,
    feeBps,
    tokenPriceUsd,
    upgraded,
    pendingExits,
    cooldownSeconds,
    rateBps,
    rewardBps,
    withdrawable,
  } = kinds
  if (Object.values(kinds).filter((value) => value !== undefined).length !== 1) {
    throw validationError(
      '',
      `give exactly one of ${Object.keys(Change.properties)
        .filter((name) => name !== 'amount')
        .join(', ')}`,
    )
  }
  if (amount !== undefined && liquidity === undefined) throw validationError('amount', 'needs liquidity')
  if (liquidity !== undefined) return { liquidity, ...(amount !== undefined && { amount: unitsOf(amount) }) }
  if (depositCap !== undefined) return { depositCap: depositCap === null ? null : unitsOf(depositCap) }
  if (paused !== undefined) return { paused }
  if (frozen !== undefined) return { frozen }
  if (lossBps !== undefined) return { lossBasisPoints: lossBps }
  if (feeBps !== undefined) return { feeBasisPoints: feeBps }
  if (pendingExits !== undefined) return { pendingExits }
  if (cooldownSeconds !== undefined) return { cooldownSeconds }
  if (rateBps !== undefined) return { rateBasisPoints: rateBps }
  if (rewardBps !== undefined) return { rewardBasisPoints: rewardBps }
  if (withdrawable !== undefined) return { withdrawable: unitsOf(withdrawable) }
  return tokenPriceUsd === undefined ? { upgraded: upgraded! } : { tokenPrice: priceOf(tokenPriceUsd) }
}

/** Error: VALIDATION_ERROR for zero, which no feed reports. */
function priceOf(text: string): bigint {
  const price = parseDecimal(text, FEED_DECIMALS)
  if (!price) throw validationError('tokenPriceUsd', 'must be above zero')
  return price
}

/** Error: INVALID_AMOUNT for more than any chain holds. */
function unitsOf(text: string): bigint {
  const units = parseBaseUnits(text)
  if (units === undefined) throw new Failure('INVALID_AMOUNT')
  return units
}
