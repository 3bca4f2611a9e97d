export { createFollower, type Follower, type FollowerOptions } from './follow-chain.ts'
export { type ChainProgress, listProgress } from './list-progress.ts'
export { waitUntilSettled } from './wait-until-settled.ts'
