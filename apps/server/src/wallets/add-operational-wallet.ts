import type { Token } from '../chains/index.ts'
import { type Transact, transactOn } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { openAccounts } from '../ledger/index.ts'
import { type OperationalWallet, operationalWalletFrom } from './operational-wallet.ts'
import { parseBuffer } from './parse-buffer.ts'
import type { WalletParts } from './parts.ts'

export interface AddOperationalWallet {
  readonly organizationId: number
  readonly walletId: number
  /** Symbol, in any case. */
  readonly token: string
  readonly enableYield: boolean
  /** Decimal text, as the core surface takes it. */
  readonly bufferAmount: string
  readonly metadata?: Record<string, unknown> | null | undefined
}

/** An operational wallet with its token. */
export interface OperationalWalletWithToken {
  readonly operationalWallet: OperationalWallet
  readonly token: Token
}

/**
 * Makes one token of a wallet an operational wallet and schedules its first evaluation (contract 7 and 10).
 *
 * Errors: WALLET_NOT_FOUND; CHAIN_UNAVAILABLE (no longer served here); INVALID_TOKEN_SYMBOL; VALIDATION_ERROR
 * (buffer); CONFLICT (operational already).
 */
export async function addOperationalWallet(
  parts: WalletParts,
  input: AddOperationalWallet,
  transact: Transact<OperationalWalletWithToken> = transactOn(parts.db),
): Promise<OperationalWalletWithToken> {
  const { organizationId, walletId } = input
  return transact(async (tx) => {
    const wallet = await tx
      .selectFrom('wallets')
      .select('blockchain')
      .where('organization_id', '=', organizationId)
      .where('id', '=', walletId)
      .executeTakeFirst()
    if (!wallet) throw new Failure('WALLET_NOT_FOUND')
    const token = tokenBySymbol(parts, wallet.blockchain, input.token)
    const now = parts.clock.now()
    const row = await tx
      .insertInto('operational_wallets')
      .values({
        organization_id: organizationId,
        wallet_id: walletId,
        token_address: token.address,
        enable_yield: input.enableYield,
        buffer_amount: parseBuffer(input.bufferAmount, token),
        metadata: input.metadata ? JSON.stringify(input.metadata) : null,
        due_at: now,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'wallet_id', 'token_address']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new Failure('CONFLICT', { message: `This wallet is already monitored for ${token.symbol}.` })
    await openAccounts(tx, { organizationId, walletId }, [token.address])
    return { operationalWallet: operationalWalletFrom(row), token }
  })
}

function tokenBySymbol(parts: WalletParts, blockchain: string, symbol: string): Token {
  const chain = parts.chains.get(blockchain)
  if (!chain) {
    throw new Failure('CHAIN_UNAVAILABLE', { message: `${blockchain} is not served here at the moment.` })
  }
  const { tokens } = chain.network
  const token = tokens.find((candidate) => candidate.symbol.toLowerCase() === symbol.toLowerCase())
  if (token) return token
  throw new Failure('INVALID_TOKEN_SYMBOL', {
    message: `The token is not available on ${blockchain}.`,
    details: { availableTokens: tokens.map((supported) => supported.symbol), requested: symbol },
  })
}
