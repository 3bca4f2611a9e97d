export {
  type AddOperationalWallet,
  addOperationalWallet,
  type OperationalWalletWithToken,
} from './add-operational-wallet.ts'
export {
  claimEvaluations,
  type EvaluationClaim,
  type EvaluationResult,
  lockClaimed,
  releaseClaims,
  type WalletSettings,
} from './claim-evaluations.ts'
export { WALLET_ERASURE } from './erase-wallets.ts'
export { findOperationalWalletToken, findWalletToken, type WalletToken } from './find-wallet-token.ts'
export {
  getWallet,
  listWallets,
  requireWallet,
  selectWallets,
  type WalletBalance,
  type WalletDetail,
  type WalletFilter,
} from './find-wallets.ts'
export { labelWallet } from './label-wallet.ts'
export {
  findOperationalWallet,
  isOneOfWallets,
  type OperationalToken,
  type OperationalWallet,
  type OperationalWalletId,
  operationalTokensOf,
  operationalWalletFrom,
  operationalWalletNotFound,
  operationalWalletOf,
  requireOperationalWallet,
} from './operational-wallet.ts'
export { oldestOverdueEvaluation } from './overdue-evaluations.ts'
export type { WalletParts } from './parts.ts'
export {
  recordReconciliations,
  requestAddressReconciliation,
  requestChainReconciliation,
  requestReconciliation,
  requestReconciliationSql,
} from './reconciliation.ts'
export { type RegisterWallet, registerWallet, type WalletRegistration } from './register-wallet.ts'
export { giveBackClaims, renewClaims } from './renew-claims.ts'
export { requireConfiguredToken } from './require-configured-token.ts'
export {
  addressSpellings,
  findReferencedWallets,
  resolveWallet,
  type WalletContext,
  type WalletReference,
  type WalletRow,
} from './resolve-wallet.ts'
export {
  type EvaluationTarget,
  SCHEDULE_EVALUATION,
  scheduleEvaluation,
  scheduleEvaluationSql,
  scheduleOrganizationEvaluations,
  schedulePausedEvaluations,
  scheduleTokenEvaluations,
} from './schedule-evaluation.ts'
export { searchWallets } from './search-wallets.ts'
export { oldestShortBuffer } from './short-buffers.ts'
export { type UpdateOperationalWallet, updateOperationalWallet } from './update-operational-wallet.ts'
export { updateWallet, type WalletUpdate } from './update-wallet.ts'
export { type Wallet, walletFrom } from './wallet.ts'
export { hasWalletPrefix } from './wallet-prefix.ts'
export { walletUse } from './wallet-use.ts'
