export { type AddOperationalWallet, addOperationalWallet, type Watched } from './add-operational-wallet.ts'
export { askPausedToConsider, askToConsider, type Changed } from './ask-to-consider.ts'
export { type ChangeBuffer, changeBuffer } from './change-buffer.ts'
export { changeWallet, type WalletChange } from './change-wallet.ts'
export {
  getWallet,
  listWallets,
  type WalletBalance,
  type WalletDetail,
  type WalletFilter,
  walletsWithin,
} from './find-wallets.ts'
export { labelWallet } from './label-wallet.ts'
export {
  chooseWallet,
  type NamedPlace,
  type NamedWallet,
  spellingsOf,
  type WalletRow,
  walletsNamed,
} from './name-wallet.ts'
export { openMissingAccounts } from './open-missing-accounts.ts'
export {
  findOperationalWallet,
  type OperationalWallet,
  operationalWalletFrom,
  operationalWalletOf,
} from './operational-wallet.ts'
export type { WalletParts } from './parts.ts'
export { type Registered, type RegisterWallet, registerWallet } from './register-wallet.ts'
export { type Wallet, walletFrom } from './wallet.ts'
export { watchedToken } from './watched-token.ts'
