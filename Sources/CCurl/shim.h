#pragma once
// libcurl's setters are variadic, which Swift cannot import. Here is one typed inline function for each type of
// value. The type checks of curl.h need a constant option, which an inline function does not have.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*earshot_curl_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode earshot_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

static inline CURLcode earshot_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode earshot_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode earshot_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode earshot_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode earshot_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode earshot_curl_set_callback(CURL *easy, CURLoption option, earshot_curl_callback value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLMcode earshot_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode earshot_curl_multi_set_socket_callback(
    CURLM *multi, curl_socket_callback value, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context) : code;
}
// All cookies of a handle, in the format of Netscape's files. The caller frees the list.
static inline struct curl_slist *earshot_curl_cookies(CURL *easy) {
  struct curl_slist *list = NULL;
  return curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK ? list : NULL;
}
// The result is a union member, which Swift cannot read.
static inline CURLcode earshot_curl_message_result(const CURLMsg *message) { return message->data.result; }
