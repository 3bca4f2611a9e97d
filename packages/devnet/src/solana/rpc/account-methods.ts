import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { decimalsOf, mintOf, tokenAccount, uiAmount } from '../token-balances.ts'
import { isTokenAccount } from '../vm.ts'
import { encodeAccount } from './encode-account.ts'
import { inContext, type Methods } from './method.ts'
import { asAddress, refuse } from './params.ts'

const MAX_ACCOUNTS = 100
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** Accounts and their balances, always as of the newest block. */
export const accountMethods: Methods = {
  getBalance: (params, { ledger }) => inContext(ledger, ledger.vm.account(params.address(0))?.lamports ?? 0n),
  getAccountInfo(params, { ledger }) {
    return inContext(ledger, encodeAccount(ledger.vm, ledger.vm.account(params.address(0)), params.options(1)))
  },
  getMultipleAccounts(params, { ledger }) {
    const addresses = params.list(0)
    if (addresses.length > MAX_ACCOUNTS) refuse(`Too many inputs provided; max ${MAX_ACCOUNTS}`)
    const accounts = addresses.map((value) => ledger.vm.account(asAddress(value)))
    return inContext(
      ledger,
      accounts.map((account) => encodeAccount(ledger.vm, account, { encoding: 'base64', ...params.options(1) })),
    )
  },
  getMinimumBalanceForRentExemption: (params, { ledger }) => ledger.vm.rentExemption(params.integer(0)),
  getTokenAccountBalance(params, { ledger }) {
    const account = ledger.vm.account(params.address(0)) ?? refuse('could not find account')
    if (!isTokenAccount(account)) refuse('not a Token account')
    const { mint, amount } = tokenAccount(account)
    return inContext(ledger, uiAmount(amount, decimalsOf(ledger.vm, mint) ?? 0))
  },
  getTokenSupply(params, { ledger }) {
    const account = ledger.vm.account(params.address(0)) ?? refuse('could not find mint')
    const { supply, decimals } = mintOf(account) ?? refuse('not a Token mint')
    return inContext(ledger, uiAmount(supply, decimals))
  },
  getTokenAccountsByOwner(params, { ledger }) {
    const owner = params.address(0)
    const { mint, programId } = params.options(1)
    if (mint === undefined && programId !== TOKEN_PROGRAM_ADDRESS && programId !== TOKEN_2022) {
      refuse('a mint or the id of a token program is expected')
    }
    if (mint !== undefined && decimalsOf(ledger.vm, asAddress(mint)) === null) refuse('could not find mint')
    // This chain has no accounts of the newer token program.
    const found = programId === TOKEN_2022 ? [] : ledger.vm.tokenAccounts()
    const mine = found.filter((account) => {
      const parts = tokenAccount(account)
      return parts.owner === owner && (mint === undefined || parts.mint === mint)
    })
    return inContext(
      ledger,
      mine.map((account) => ({
        account: encodeAccount(ledger.vm, account, params.options(2)),
        pubkey: account.address,
      })),
    )
  },
}
