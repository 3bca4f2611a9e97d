export { createFollower, type Follower, type FollowerOptions } from './follow-chain.ts'
export { waitUntilSettled } from './wait-until-settled.ts'
