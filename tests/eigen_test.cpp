// Eigen's matrices and vectors as they are, and its products in double as the oracle.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <Eigen/SparseCore>

#include <upsweep/csr_build.hpp>
#include <upsweep/eigen.hpp>
#include <upsweep/spmv.hpp>

#include "matrices.hpp"
#include "support.hpp"

using upsweep::index_t;

namespace {
template <class T>
using sparse = Eigen::SparseMatrix<T, Eigen::RowMajor>;

template <class T>
Eigen::Map<const sparse<T>> as_eigen(const test::matrix<T>& a) {
  return {a.rows,         a.columns, static_cast<index_t>(a.values.size()), a.offsets.data(), a.column_indices.data(),
          a.values.data()};
}
// |y − expected| against the longest row's bound.
template <class T>
void check_close(const Eigen::VectorX<T>& y, const Eigen::VectorXd& expected, const Eigen::VectorXd& magnitudes,
                 index_t longest) {
  const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(longest + 2);
  const Eigen::VectorXd distance = (y.template cast<double>() - expected).cwiseAbs();
  CHECK((distance.array() <= u * magnitudes.array() + 1e-30).all());
}
}  // namespace

TEST_CASE("products of all shapes are Eigen's in double") {
  for (const auto& [name, lengths] : test::named_lengths()) {
    INFO(name);
    const auto a = test::rows_of<float>(lengths, 4000);
    const auto exact = test::converted<double, std::int32_t, std::int32_t>(a);
    auto magnitude = exact;
    for (double& value : magnitude.values) value = std::abs(value);
    const auto items = test::random_vector<float>(4000);
    const Eigen::VectorXf x = Eigen::Map<const Eigen::VectorXf>(items.data(), 4000);
    const Eigen::VectorXd expected = as_eigen(exact) * x.cast<double>();
    const Eigen::VectorXd magnitudes = as_eigen(magnitude) * x.cast<double>().cwiseAbs();
    const index_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
    test::on_hosts([&](auto& executor) {
      Eigen::VectorXf y(a.rows);
      upsweep::spmv(executor, as_eigen(a), x, y);
      check_close<float>(y, expected, magnitudes, longest);
    });
  }
}

TEST_CASE("a compressed row-major matrix of Eigen's is viewed without a copy") {
  sparse<double> a(3, 4);
  a.insert(0, 1) = 2;
  a.insert(2, 3) = 5;
  CHECK(test::message_of<std::invalid_argument>([&] { upsweep::view(a); }) ==
        "view: the matrix is not compressed, call makeCompressed()");
  a.makeCompressed();
  const auto view = upsweep::view(a);
  CHECK(view.rows == 3);
  CHECK(view.columns == 4);
  CHECK(view.nonzeros() == 2);
  CHECK(view.values.data() == a.valuePtr());
  upsweep::host executor(1);
  upsweep::validate(executor, view);
  const Eigen::Vector4d x(1, 2, 3, 4);
  Eigen::VectorXd y = Eigen::VectorXd::Ones(3);
  upsweep::spmv(executor, view, x, y, 10., 1.);
  CHECK(y == Eigen::Vector3d(41, 1, 201));
}

TEST_CASE("all calls take a matrix of Eigen's, a Map and a Ref of one, as they are") {
  sparse<double> a(3, 4);
  a.insert(0, 1) = 2;
  a.insert(2, 0) = 1;
  a.insert(2, 3) = 5;
  upsweep::host executor(2);
  const Eigen::Vector4d x(1, 2, 3, 4);
  Eigen::VectorXd y(3);
  CHECK(test::message_of<std::invalid_argument>([&] { upsweep::spmv(executor, a, x, y); }) ==
        "view: the matrix is not compressed, call makeCompressed()");
  a.makeCompressed();
  const auto holds = [&](const Eigen::Vector3d& expected) {
    CHECK(y == expected);
    y.setZero();
  };
  upsweep::validate(executor, a);
  upsweep::spmv(executor, a, x, y);
  holds({4, 0, 21});
  upsweep::spmv(executor, Eigen::Ref<const sparse<double>>(a), x, y);
  holds({4, 0, 21});
  upsweep::spmv(executor, a.middleRows(0, 3), x, y);
  holds({4, 0, 21});
  upsweep::spmv(executor, upsweep::spmv_plan(executor, a), x, y);
  holds({4, 0, 21});
  upsweep::semiring_spmv(executor, a, x, y, upsweep::plus<double>{}, upsweep::maximum<double>{});
  CHECK(y[0] == 4);
  CHECK(y[2] == 9);
  upsweep::spmm(executor, a, x, y, 1);
  holds({4, 0, 21});
  const upsweep::csr_matrix owned(executor, a);
  upsweep::spmv(executor, owned, x, y);
  holds({4, 0, 21});
  Eigen::VectorXd z(4);
  upsweep::spmv(executor, upsweep::csr_transpose(executor, a), Eigen::Vector3d(1, 2, 3), z);
  CHECK(z == Eigen::VectorXd(Eigen::Vector4d(3, 2, 0, 15)));
  upsweep::spmv(executor, a, x, z.tail(3));  // a block of a vector refers to it
  CHECK(z == Eigen::VectorXd(Eigen::Vector4d(3, 4, 0, 21)));
}

TEST_CASE("indices of 8 bytes and transposed products are Eigen's") {
  using matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;
  const auto rows =
      test::converted<double, std::int64_t, std::int64_t>(test::rows_of<std::int32_t>({3, 9, 0, 700}, 90));
  std::vector<double> values(rows.values.size());
  for (std::size_t k = 0; k < values.size(); k++) values[k] = static_cast<double>(k % 17);
  const Eigen::Map<const matrix> a(rows.rows, rows.columns, static_cast<index_t>(values.size()), rows.offsets.data(),
                                   rows.column_indices.data(), values.data());
  const Eigen::Vector4d x(1, 2, 3, 4);
  upsweep::host executor(2);
  Eigen::VectorXd y(90);
  upsweep::spmv_transposed(executor, a, x, y);
  CHECK(y == Eigen::VectorXd(a.transpose() * x));
}
