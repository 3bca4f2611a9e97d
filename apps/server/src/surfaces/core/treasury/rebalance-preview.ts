import Type from 'typebox'
import { formatDecimal, parseDecimal, validationError } from '../../../kernel/index.ts'
import { chainOf, findOperationalWalletContext } from '../../../operations/index.ts'
import { previewRebalance, type RebalanceParts, type RebalancePreviewResult } from '../../../rebalancing/index.ts'
import { type App, envelope, id, idParams, ok } from '../../http/index.ts'
import { byEveryone } from '../access.ts'
import { decimal, opWalletFields, orNull, percent, percentText, presentOpWalletIds } from '../formats.ts'
import { dateTime } from '../schemas.ts'

const place = Type.Object(
  {
    type: Type.Enum(['wallet', 'strategy'], { description: 'The wallet itself, or a strategy.' }),
    strategyId: orNull(id('Strategy.'), 'Null for the wallet.'),
    name: Type.String({ description: 'Name of the strategy, or address of the wallet.' }),
  },
  { $id: 'MovePlace', description: 'Where money comes from or goes to.' },
)

const RebalancePreview = Type.Object(
  {
    ...opWalletFields,
    token: Type.String({ description: 'Symbol of the token.' }),
    enableYield: Type.Boolean({ description: 'The switch that was assumed.' }),
    bufferAmount: decimal('The buffer that was assumed.'),
    availableBalance: decimal('In the wallet now, as the chain shows it, less what operations hold back.'),
    excess: decimal('Above the buffer and free to be deployed.'),
    shortfall: decimal('Missing in the buffer.'),
    held: decimal('Withdrawn on purpose a short while ago, and so not deployed again yet.'),
    moves: Type.Array(
      Type.Object({
        type: Type.Enum(['SUPPLY', 'UNWIND'], { description: 'Into a strategy, or out of it.' }),
        from: place,
        to: place,
        amount: decimal('What would move.'),
        fullWithdrawal: Type.Boolean({ description: 'The whole position.' }),
        reason: Type.String({ description: 'Why.' }),
      }),
      { description: 'In the order in which they would be carried out, one after the other.' },
    ),
    notes: Type.Array(Type.String(), { description: 'Why there is no move, or not more of them.' }),
    strategies: Type.Array(
      Type.Object({
        strategyId: id('Strategy.'),
        name: Type.String({ description: 'Name of the strategy.' }),
        apy: percentText('Its rate now.'),
        gain: decimal('What all of the excess would bring here over the horizon, after gas.'),
        verdict: Type.String({ description: 'What the allocator makes of it.' }),
      }),
      { description: 'How the allocator weighs each strategy, best first; empty where nothing is to be deployed.' },
    ),
    waitsForOperationId: orNull(id('Operation.'), 'An operation of the wallet that has to end first.'),
    pausedUntil: orNull(
      dateTime('Until when.'),
      'Until when nothing is planned, because the last move was rejected or failed.',
    ),
  },
  { $id: 'RebalancePreview', description: 'What the rebalancer would do.' },
)

/** What would move, from and to where, and why; changes nothing (contract 10). */
export function rebalancePreviewRoute(app: App, parts: RebalanceParts): void {
  app.post(
    '/api/core/wallets/monitored/:id/rebalance-preview',
    {
      config: { ...byEveryone, audit: false },
      schema: {
        tags: ['Operational wallets'],
        operationId: 'previewRebalance',
        summary: 'Preview what the rebalancer would do',
        description:
          'With the buffer and the switch as they are, or as given. Changes nothing. Errors: WALLET_NOT_FOUND; CHAIN_UNAVAILABLE.',
        params: idParams('Operational wallet id.'),
        body: Type.Object({
          bufferAmount: Type.Optional(Type.String({ description: 'A buffer to try, a decimal amount of the token.' })),
          enableYield: Type.Optional(Type.Boolean({ description: 'A switch to try.' })),
        }),
        response: { 200: envelope(RebalancePreview, 'What would move.') },
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
        throw validationError('bufferAmount', `must be a decimal amount with at most ${token.decimals} digits`)
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
    held: amount(input.onHold),
    moves: moves.map((move) => {
      const strategy = { type: 'strategy' as const, strategyId: move.strategyId, name: move.strategyName }
      const [from, to] = move.type === 'SUPPLY' ? [own, strategy] : [strategy, own]
      const { type, worth, why: reason } = move
      return { type, from, to, amount: amount(worth), fullWithdrawal: move.amount === null, reason }
    }),
    notes: [...preview.notes],
    strategies: weighed.map(({ strategyId, name, apy, gain, verdict }) => {
      return { strategyId, name, apy: percent(apy), gain: amount(gain), verdict }
    }),
    waitsForOperationId: preview.blockedByOperationId ?? null,
    pausedUntil: preview.pausedUntil?.toISOString() ?? null,
  }
}
