export { createV1Client, type Event, type V1Client } from './v1-client.ts'
