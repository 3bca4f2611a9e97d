import Type from 'typebox'
import { formatDecimal, parseDecimal, validationError } from '../../../kernel/index.ts'
import { chainOf, findOperationalWalletContext } from '../../../operations/index.ts'
import { previewRebalance, type RebalanceParts, type RebalancePreviewResult } from '../../../rebalancing/index.ts'
import { type App, envelope, id, idParams, ok } from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'
import { decimal, opWalletFields, orNull, presentOpWalletIds } from '../formats.ts'
import { PayableSource, presentPayableSource } from '../payable-sources.ts'
import { dateTime } from '../schemas.ts'
import { presentWeighedStrategy, WeighedStrategy } from '../weighed-strategies.ts'

const endpoint = Type.Object(
  {
    type: Type.Enum(['wallet', 'strategy'], { description: 'The wallet or a strategy.' }),
    strategyId: orNull(id('Strategy id.'), 'Strategy id; null for the wallet.'),
    name: Type.String({ description: 'Name of the strategy, or address of the wallet.' }),
  },
  { $id: 'MovePlace', description: 'Source or destination of a move.' },
)

const RebalancePreview = Type.Object(
  {
    ...opWalletFields,
    token: Type.String({ description: 'Symbol of the token.' }),
    enableYield: Type.Boolean({ description: 'The setting used for the preview.' }),
    bufferAmount: decimal('The buffer used for the preview.'),
    availableBalance: decimal('Current on-chain balance minus reservations.'),
    excess: decimal('Amount above the buffer that is available to deploy.'),
    shortfall: decimal('Amount missing from the buffer.'),
    payableNow: Type.Optional(
      decimal(
        'Part of shortfall that the moves cover: what the strategies can pay out now, each on its own. Those that draw on the same pool may pay less together.',
      ),
    ),
    awaited: Type.Optional(
      decimal(
        'Part of shortfall that the positions are worth and cannot pay out now; fetched when they can. More than this where strategies draw on the same pool and it cannot pay all of their moves.',
      ),
    ),
    held: decimal('Amount withdrawn on request a short while ago and therefore not redeployed yet.'),
    heldUntil: Type.Optional(
      orNull(
        dateTime('End of the hold.'),
        'When all of `held` may be deployed again; parts that came back earlier are free earlier. Null if nothing is held.',
      ),
    ),
    moves: Type.Array(
      Type.Object({
        type: Type.Enum(['SUPPLY', 'UNWIND'], {
          description: 'SUPPLY moves tokens into a strategy, UNWIND out of it.',
        }),
        from: endpoint,
        to: endpoint,
        amount: decimal('Amount that would move.'),
        fullWithdrawal: Type.Boolean({ description: 'Whether the whole position would be withdrawn.' }),
        reason: Type.String({ description: 'Human-readable reason.' }),
      }),
      { description: 'Moves in the order of execution.' },
    ),
    notes: Type.Array(Type.String(), { description: 'Why there are no moves, or why they do not cover everything.' }),
    strategies: Type.Array(WeighedStrategy, {
      description: 'Strategies that the allocator compared, best first; empty if there is nothing to deploy.',
    }),
    sources: Type.Optional(
      Type.Array(PayableSource, {
        description: 'Positions that the shortfall can be withdrawn from, in that order; empty without a shortfall.',
      }),
    ),
    waitsForOperationId: orNull(
      id('Operation id.'),
      'An operation of the wallet that must end first; null if there is none.',
    ),
    pausedUntil: orNull(
      dateTime('End of the pause.'),
      'When planning resumes after the last move was rejected or failed; null if not paused.',
    ),
  },
  { $id: 'RebalancePreview', description: 'The moves that the rebalancer would make.' },
)

/** Previews the moves of the rebalancer without changing anything (contract 10). */
export function rebalancePreviewRoute(app: App, parts: RebalanceParts): void {
  app.post(
    '/api/core/wallets/monitored/:id/rebalance-preview',
    {
      config: { ...byEveryoneAndServiceAccounts, audit: false },
      schema: {
        tags: ['Operational wallets'],
        operationId: 'previewRebalance',
        summary: 'Preview a rebalance',
        description:
          'Returns the moves that the rebalancer would make with the current settings, or with those in the body. Changes nothing. Errors: WALLET_NOT_FOUND; CHAIN_UNAVAILABLE.',
        params: idParams('Operational wallet id.'),
        body: Type.Object({
          bufferAmount: Type.Optional(
            Type.String({
              description: 'Buffer to assume, a decimal amount of the token. Defaults to the current buffer.',
            }),
          ),
          enableYield: Type.Optional(
            Type.Boolean({ description: 'Setting to assume. Defaults to the current setting.' }),
          ),
        }),
        response: { 200: envelope(RebalancePreview, 'The preview.') },
      },
    },
    async (request) => {
      const { organizationId } = request.credential
      const { bufferAmount, enableYield } = request.body
      const { opWallet, wallet } = await findOperationalWalletContext(parts.db, {
        organizationId,
        opWalletId: request.params.id,
      })
      const { tokens } = chainOf(parts, wallet.blockchain).network
      const token = tokens.find(({ address }) => address === opWallet.tokenAddress) ?? { decimals: 0, symbol: '' }
      const buffer = bufferAmount === undefined ? undefined : parseDecimal(bufferAmount, token.decimals)
      if (bufferAmount !== undefined && buffer === undefined) {
        throw validationError('bufferAmount', `must be a decimal amount with at most ${token.decimals} decimal places`)
      }
      const preview = await previewRebalance(parts, { opWallet, buffer, enableYield })
      return ok(present(preview, opWallet.opWalletId, wallet.address, token))
    },
  )
}

function present(
  preview: RebalancePreviewResult,
  opWalletId: number,
  address: string,
  token: { symbol: string; decimals: number },
) {
  const { input, moves, weighed } = preview
  const amount = (units: bigint) => formatDecimal(units, token.decimals)
  const own = { type: 'wallet' as const, strategyId: null, name: address }
  return {
    ...presentOpWalletIds(opWalletId),
    token: token.symbol,
    enableYield: input.enableYield,
    bufferAmount: amount(input.buffer),
    availableBalance: amount(input.available),
    excess: amount(preview.excess),
    shortfall: amount(preview.shortfall),
    payableNow: amount(moves.reduce((sum, { type, worth }) => (type === 'UNWIND' ? sum + worth : sum), 0n)),
    awaited: amount(preview.awaited),
    held: amount(input.onHold),
    heldUntil: preview.heldUntil?.toISOString() ?? null,
    moves: moves.map((move) => {
      const strategy = { type: 'strategy' as const, strategyId: move.strategyId, name: move.strategyName }
      const [from, to] = move.type === 'SUPPLY' ? [own, strategy] : [strategy, own]
      const { type, worth, why: reason } = move
      return { type, from, to, amount: amount(worth), fullWithdrawal: move.amount === null, reason }
    }),
    notes: [...preview.notes],
    strategies: weighed.map((each) => presentWeighedStrategy(each, token.decimals)),
    sources: preview.sources.map((source) => presentPayableSource(source, token.decimals)),
    waitsForOperationId: preview.blockedByOperationId ?? null,
    pausedUntil: preview.pausedUntil?.toISOString() ?? null,
  }
}
