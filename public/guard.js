// Comes before everything else of the page and needs none of it: when a part that the page cannot start without does not
// come, or fails, an empty page would say nothing. Once the page is there its own notices speak (src/ui/notices).
(() => {
  function tell() {
    // React replaces this place by the page
    const place = document.getElementById('late');
    if (!place || place.dataset.told) return;
    place.dataset.told = 'yes';
    place.className = '';
    place.setAttribute('role', 'alert');
    const words = document.createElement('p');
    words.textContent =
      'Horizon Lab could not start: a part of the site could not be loaded, or failed. Perhaps there is no connection, or ' +
      'the site was renewed a moment ago. Your settings are kept.';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Reload the page';
    button.addEventListener('click', () => location.reload());
    place.replaceChildren(words, button);
  }
  addEventListener(
    'error',
    ({ target }) => {
      if (target === window || target instanceof HTMLScriptElement) tell();
    },
    true,
  );
  addEventListener('unhandledrejection', tell);
})();
