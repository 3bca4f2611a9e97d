export { type CoreClient, createCoreClient, type Event } from './core-client.ts'
