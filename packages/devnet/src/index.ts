export type { BlockTime } from './evm/chain-clock.ts'
export { EVM_BLOCKCHAINS, type EvmBlockchain } from './evm/chains.ts'
export type { EvmDeployment, EvmStrategy, EvmToken } from './evm/deployment.ts'
export { type EvmChain, type EvmChainOptions, startEvmChain } from './evm/start-evm-chain.ts'
export { type EvmChains, type EvmChainsOptions, startEvmChains } from './evm/start-evm-chains.ts'
export type { BlockTime as SolanaBlockTime } from './solana/control.ts'
export type { SolanaDeployment, SolanaStrategy, SolanaToken } from './solana/deployment.ts'
export type { FaultOrder, SolanaFault, TransactionFault as SolanaTransactionFault } from './solana/faults.ts'
export { type SolanaChain, type SolanaChainOptions, startSolanaChain } from './solana/start-solana-chain.ts'
export {
  StateNotSupported,
  type StrategyState,
  type StrategyStateChange,
  VenueRefused,
} from './strategy-state.ts'
export type { Exit } from './watchdog.ts'
