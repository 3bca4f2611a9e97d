export { createFollower, type Follower, type FollowOptions } from './follow-chain.ts'
export { waitUntilSettled } from './settled.ts'
