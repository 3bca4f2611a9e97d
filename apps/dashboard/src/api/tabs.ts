/** What a tab changed: who is signed in, that its person signed out, or anything that pages show. */
type News = 'session' | 'signed out' | 'data'

/** The tabs of one person in one browser. */
const channel = new BroadcastChannel('weir')

/** Tells the other tabs what this one changed; the service reports operations and money only. */
export const tellOtherTabs = (news: News): void => channel.postMessage(news)

/** Calls the listener after such a change in another tab; returns how to stop. */
export function onOtherTabs(news: News, listener: () => void): () => void {
  const heard = ({ data }: MessageEvent) => {
    if (data === news) listener()
  }
  channel.addEventListener('message', heard)
  return () => channel.removeEventListener('message', heard)
}
