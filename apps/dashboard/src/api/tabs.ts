/** The tabs of one person in one browser. */
const channel = new BroadcastChannel('weir-changes')

/** Tells the other tabs that this one changed something; the service tells of operations and money only. */
export const tellOtherTabs = (): void => channel.postMessage('changed')

/** Calls the listener after a change in another tab; returns how to stop. */
export function onOtherTabs(listener: () => void): () => void {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
