// Counts views of pages on sites that Docent does not serve: no cookie, nothing stored, nothing that tells who it is.
// Served by collect-routes.ts without these comments; under 1,000 bytes compressed.
;(() => {
  const { src, dataset } = document.currentScript || document.querySelector('script[data-project]')
  const { doNotTrack, globalPrivacyControl } = navigator
  if (doNotTrack == 1 || window.doNotTrack == 1 || globalPrivacyControl || !dataset.project) return
  const url = new URL(`v1/analytics/${dataset.project}/collect`, src)
  let { referrer } = document
  let last

  // A change of query or fragment is the same page, and so is one of the slash at the end. Several changes in one go (a
  // redirect) are one view. What is only prepared for a click that may come is not seen by anybody yet.
  const view = () => {
    const path = location.pathname.replace(/\/$/, '') || '/'
    if (path === last || document.prerendering) return
    last = path
    navigator.sendBeacon(url, JSON.stringify({ path, referrer }))
    referrer = location.href
  }
  for (const name of ['pushState', 'replaceState']) {
    const original = history[name]
    history[name] = function () {
      original.apply(this, arguments)
      setTimeout(view)
    }
  }
  addEventListener('popstate', () => setTimeout(view))
  // Back to a page that the browser kept whole is a view like any other way back to it.
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    last = 0
    view()
  })
  document.addEventListener('prerenderingchange', view)
  view()
})()
