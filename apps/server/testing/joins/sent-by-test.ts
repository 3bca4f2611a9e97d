/** Frames between a statement and the code that sends it. */
const between =
  /node_modules|node:|\/database\/(?:connections|queries)\/|Client\.query|\/(?:probe|count)-statements\.|\/(?:join-watch|sent-by-test)\.ts/
const ofTests = /\.test\.tsx?:|\/(?:testing|system|simulate|bench|tour)\//
const FRAMES = 60

/**
 * Whether the statement that is being sent is a test's own: it prepares rows or checks them, for one organization or for
 * all. A statement whose sender is not known is the service's.
 */
export function isSentByTest(): boolean {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  const sender = stack.split('\n').find((frame) => frame.includes('/') && !between.test(frame))
  return sender !== undefined && ofTests.test(sender)
}
